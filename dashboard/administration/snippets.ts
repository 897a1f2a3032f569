/** The languages in which the example of a first request is shown. */
export const LANGUAGES = [
  { value: 'curl', label: 'curl' },
  { value: 'python', label: 'Python' },
  { value: 'typescript', label: 'TypeScript' },
  { value: 'anthropic', label: 'Python, Anthropic' },
] as const;
export type Language = (typeof LANGUAGES)[number]['value'];

interface SnippetParts {
  baseUrls: { openai: string; anthropic: string };
  endpoint: string;
  /** The key, or a placeholder for it. */
  key: string;
}

export function snippetFor(language: Language, { baseUrls, endpoint, key }: SnippetParts): string {
  const message = 'Say hello.';
  switch (language) {
    case 'curl':
      return [
        `curl "${baseUrls.openai}/chat/completions" \\`,
        `  -H "authorization: Bearer ${key}" -H "content-type: application/json" \\`,
        `  -d '${JSON.stringify({ model: endpoint, messages: [{ role: 'user', content: message }] })}'`,
      ].join('\n');
    case 'python':
      return [
        'from openai import OpenAI',
        '',
        `client = OpenAI(base_url="${baseUrls.openai}", api_key="${key}")`,
        'answer = client.chat.completions.create(',
        `    model="${endpoint}", messages=[{"role": "user", "content": "${message}"}]`,
        ')',
        'print(answer.choices[0].message.content)',
      ].join('\n');
    case 'typescript':
      return [
        "import OpenAI from 'openai';",
        '',
        `const client = new OpenAI({ baseURL: '${baseUrls.openai}', apiKey: '${key}' });`,
        'const answer = await client.chat.completions.create({',
        `  model: '${endpoint}',`,
        `  messages: [{ role: 'user', content: '${message}' }],`,
        '});',
        'console.log(answer.choices[0]?.message.content);',
      ].join('\n');
    case 'anthropic':
      return [
        'from anthropic import Anthropic',
        '',
        `client = Anthropic(base_url="${baseUrls.anthropic}", api_key="${key}")`,
        'answer = client.messages.create(',
        `    model="${endpoint}", max_tokens=1024, messages=[{"role": "user", "content": "${message}"}]`,
        ')',
        'print(answer.content[0].text)',
      ].join('\n');
  }
}
