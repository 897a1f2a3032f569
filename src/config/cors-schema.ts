import { list, PATTERNS, section, text } from './schema-parts.js';

export const corsSchema = section(
  {
    origins: list(
      text({
        ...PATTERNS.origin,
        description:
          'An origin such as `https://app.example.com`, without a path and a slash at its end; `*` for all.',
      }),
      {
        minItems: 1,
        description: 'The origins whose pages may call the project.',
      },
    ),
  },
  { description: 'Which pages of browsers may call the project. Not given: none.' },
);
