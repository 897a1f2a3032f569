import { list, PATTERNS, section, text } from './schema-parts.js';

export const corsSchema = section(
  {
    origins: list(
      text({
        ...PATTERNS.origin,
        description:
          'An origin such as `https://app.example.com`, without a path and without a slash at the end, or `*` for all.',
      }),
      {
        minItems: 1,
        description: 'The origins whose pages may call the project.',
      },
    ),
  },
  { description: 'Which web pages may call the project from a browser. If not set: none.' },
);
