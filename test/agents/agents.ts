import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/*
 * The coding agents, each with the lines of docs/clients.md: what is set, and how it is run without a terminal.
 */

/** What an agent is run with. */
export interface Setting {
  /** A home of its own: nothing of the user's is read. */
  home: string;
  /** The folder that it works in. */
  folder: string;
  /** Of the project: `http://127.0.0.1:8080/UID`. */
  project: string;
  key: string;
  /** An endpoint. */
  model: string;
}

export interface Turn {
  prompt: string;
  /** Goes on with the conversation of the turn before. */
  goesOn?: boolean;
  /** The path of a picture that belongs to it. */
  picture?: string;
}

export interface Agent {
  name: string;
  /** The provider that it runs on in the short form. */
  shortColumn: string;
  /** The API that it speaks. */
  api: string;
  /** Below the installed packages; of Python, its name. */
  program: string;
  /** A program in JavaScript, or one that Python installs. */
  kind?: 'script' | 'python';
  environment(setting: Setting): Record<string, string>;
  /** Writes its configuration. */
  prepare?(setting: Setting): Promise<void>;
  parameters(setting: Setting, turn: Turn): string[];
  /** It calls no tools: its model writes files into its answer. */
  editsInText?: true;
  /** Why it cannot do all before a kind of provider, by the column. */
  limits?: Readonly<Record<string, string>>;
}

export const AGENTS: readonly Agent[] = [
  {
    name: 'Claude Code',
    shortColumn: 'deepseek',
    api: 'anthropic.messages',
    program: '@anthropic-ai/claude-code-linux-x64/claude',
    environment: ({ project, key, model }) => ({
      ANTHROPIC_BASE_URL: `${project}/anthropic`,
      ANTHROPIC_API_KEY: key,
      ANTHROPIC_MODEL: model,
      ANTHROPIC_DEFAULT_HAIKU_MODEL: model,
      ANTHROPIC_DEFAULT_SONNET_MODEL: model,
      ANTHROPIC_DEFAULT_OPUS_MODEL: model,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
    }),
    parameters: (_setting, { prompt, goesOn }) => [
      '-p',
      prompt,
      '--output-format',
      'text',
      '--allowedTools',
      'Bash(echo *) Read',
      ...(goesOn ? ['--continue'] : []),
    ],
  },
  {
    name: 'Codex',
    shortColumn: 'claude',
    api: 'openai.responses',
    program: '@openai/codex/bin/codex.js',
    kind: 'script',
    environment: ({ home, key }) => ({ CODEX_HOME: join(home, '.codex'), SLUICE_API_KEY: key }),
    async prepare({ home, project, model }) {
      await mkdir(join(home, '.codex'), { recursive: true });
      await writeFile(
        join(home, '.codex', 'config.toml'),
        [
          `model = "${model}"`,
          'model_provider = "sluice"',
          '',
          '[model_providers.sluice]',
          'name = "Sluice"',
          `base_url = "${project}/openai/v1"`,
          'env_key = "SLUICE_API_KEY"',
          'wire_api = "responses"',
          '',
        ].join('\n'),
      );
    },
    parameters: (_setting, { prompt, goesOn, picture }) => [
      'exec',
      '--skip-git-repo-check',
      '--dangerously-bypass-approvals-and-sandbox',
      ...(goesOn ? ['resume', '--last'] : []),
      ...(picture === undefined ? [] : ['-i', picture]),
      '--',
      prompt,
    ],
  },
  {
    name: 'Gemini CLI',
    limits: {
      gemini: 'with `--resume` it sends the results of earlier calls twice, which Gemini refuses',
    },
    shortColumn: 'chat',
    api: 'gemini.generate',
    program: '@google/gemini-cli/bundle/gemini.js',
    kind: 'script',
    environment: ({ project, key }) => ({
      GOOGLE_GEMINI_BASE_URL: `${project}/gemini`,
      GEMINI_API_KEY: key,
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
      GEMINI_TELEMETRY_ENABLED: 'false',
    }),
    async prepare({ home }) {
      await mkdir(join(home, '.gemini'), { recursive: true });
      const settings = {
        security: { auth: { selectedType: 'gemini-api-key' } },
        privacy: { usageStatisticsEnabled: false },
        general: { disableAutoUpdate: true, enableAutoUpdate: false },
      };
      await writeFile(join(home, '.gemini', 'settings.json'), JSON.stringify(settings));
    },
    parameters: ({ model }, { prompt, goesOn, picture }) => [
      '-m',
      model,
      '--yolo',
      ...(goesOn ? ['--resume', 'latest'] : []),
      '-p',
      picture === undefined ? prompt : `${prompt} @${picture}`,
    ],
  },
  {
    name: 'Qwen Code',
    shortColumn: 'gemini',
    api: 'openai.chat',
    program: '@qwen-code/qwen-code/cli.js',
    kind: 'script',
    environment: ({ project, key, model }) => ({
      OPENAI_BASE_URL: `${project}/openai/v1`,
      OPENAI_API_KEY: key,
      OPENAI_MODEL: model,
    }),
    async prepare({ home }) {
      await mkdir(join(home, '.qwen'), { recursive: true });
      const settings = {
        security: { auth: { selectedType: 'openai' } },
        privacy: { usageStatisticsEnabled: false },
        // It sends pictures only to models that it knows, or that are said to see.
        model: { generationConfig: { modalities: { image: true } } },
        general: { disableAutoUpdate: true, enableAutoUpdate: false },
      };
      await writeFile(join(home, '.qwen', 'settings.json'), JSON.stringify(settings));
    },
    parameters: (_setting, { prompt, goesOn, picture }) => [
      '--auth-type',
      'openai',
      '--yolo',
      ...(goesOn ? ['--continue'] : []),
      '-p',
      picture === undefined ? prompt : `${prompt} @${picture}`,
    ],
  },
  {
    name: 'opencode',
    shortColumn: 'mistral',
    api: 'openai.chat',
    program: 'opencode-linux-x64/bin/opencode',
    environment: ({ home }) => ({
      OPENCODE_CONFIG: join(home, 'opencode.json'),
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
    }),
    async prepare({ home, project, key, model }) {
      const config = {
        provider: {
          sluice: {
            npm: '@ai-sdk/openai-compatible',
            name: 'Sluice',
            options: { baseURL: `${project}/openai/v1`, apiKey: key },
            models: {
              [model]: {
                name: model,
                attachment: true,
                tool_call: true,
                modalities: { input: ['text', 'image'], output: ['text'] },
              },
            },
          },
        },
        model: `sluice/${model}`,
        autoupdate: false,
        share: 'disabled',
      };
      await writeFile(join(home, 'opencode.json'), JSON.stringify(config));
    },
    parameters: ({ model }, { prompt, goesOn, picture }) => [
      'run',
      '--model',
      `sluice/${model}`,
      '--auto',
      ...(goesOn ? ['--continue'] : []),
      prompt,
      ...(picture === undefined ? [] : ['--file', picture]),
    ],
  },
  {
    name: 'aider',
    shortColumn: 'responses',
    api: 'openai.chat',
    program: 'aider',
    kind: 'python',
    editsInText: true,
    environment: ({ project, key }) => ({
      OPENAI_API_BASE: `${project}/openai/v1`,
      OPENAI_API_KEY: key,
      AIDER_ANALYTICS_DISABLE: '1',
    }),
    async prepare({ folder, model }) {
      // It sends pictures only to models that it knows, or that are said to see.
      const known = { max_input_tokens: 128_000, max_tokens: 8_192, supports_vision: true, mode: 'chat' };
      const about = { [`openai/${model}`]: { ...known, litellm_provider: 'openai' } };
      await writeFile(join(folder, '.aider.model.metadata.json'), JSON.stringify(about));
    },
    parameters: ({ model }, { prompt, goesOn, picture }) => [
      '--model',
      `openai/${model}`,
      '--no-git',
      '--yes-always',
      '--no-check-update',
      '--no-show-release-notes',
      '--no-show-model-warnings',
      '--no-pretty',
      ...(goesOn ? ['--restore-chat-history'] : []),
      '--message',
      prompt,
      ...(picture === undefined ? [] : [picture]),
    ],
  },
];
