/*
 * The questions of the demo with the mock model's answers, so that the dashboard has something to show. The mock
 * model repeats other questions.
 */

export interface DemoConversation {
  topic: string;
  question: string;
  answer: string;
  /** Another answer to the same question, for requests with a high temperature. */
  bolder?: string;
}

export const DEMO_CONVERSATIONS: DemoConversation[] = [
  {
    topic: 'delivery',
    question: 'Where is my parcel? The number is 4711.',
    answer:
      'Your parcel **4711** left the warehouse in Leipzig this morning.\n\n| Step | When |\n| --- | --- |\n| Packed | yesterday, 16:20 |\n| On its way | today, 07:45 |\n| With you | tomorrow before noon |\n\nYou can change the place of delivery until 20:00.',
    bolder: 'It will be there tomorrow. Nothing to worry about!',
  },
  {
    topic: 'returns',
    question: 'How do I send the shoes back?',
    answer:
      '1. Open **Orders** and choose *Return*.\n2. Print the label, or show the code at the counter.\n3. Bring the parcel to any shop within 30 days.\n\nThe money is back within five days after we got the shoes.',
    bolder: 'Just send them back, any way you like.',
  },
  {
    topic: 'billing',
    question: 'Why was I charged twice in October?',
    answer:
      'I see two payments of **19.00 €**, on 2 and 3 October. The first one was only *reserved* by your bank and is released within seven days. If it is still there then, write again and we pay it back.',
  },
  {
    topic: 'code',
    question: 'Write a function that removes duplicates from a list in Python and keeps the order.',
    answer:
      'Since Python 3.7 a `dict` keeps its order, so this is enough:\n\n```python\ndef unique(items):\n    """The items without repeats, in their first order."""\n    return list(dict.fromkeys(items))\n```\n\n- It needs hashable items.\n- It takes time in proportion to the length of the list.',
    bolder: '```python\ndef unique(items):\n    return list(set(items))\n```',
  },
  {
    topic: 'summary',
    question:
      'Summarise in two sentences: The council met on Tuesday. It voted for the new bridge, 12 to 5. Work begins in spring and is to cost 8 million.',
    answer:
      'The council voted 12 to 5 on Tuesday for the new bridge. Work begins in spring and is to cost 8 million.',
    bolder: 'A bridge will be built, which everybody wants.',
  },
  {
    topic: 'translation',
    question: 'Translate into German: The invoice is due at the end of the month.',
    answer: 'Die Rechnung ist am Ende des Monats fällig.',
  },
  {
    topic: 'travel',
    question: 'Which train takes me from Vienna to Graz before ten?',
    answer:
      'Two trains fit:\n\n- **RJX 551**, 06:58 to 09:33\n- **EC 151**, 07:58 to 10:33 — too late by half an hour\n\nSo take the first one.',
  },
  {
    topic: 'account',
    question: 'Delete my account and all data, please.',
    answer:
      'I can start that for you. Please confirm in the mail that you get in the next minutes. Everything but invoices is deleted within 30 days; invoices are kept for as long as the law asks.',
  },
  {
    topic: 'product',
    question: 'Is the lamp fit for a bathroom?',
    answer:
      'Yes, in **zone 2** and outside of it: the lamp is rated IP44. Over the tub, in zone 1, you need IP65.\n\n> Have it connected by an electrician.',
    bolder: 'Yes, anywhere.',
  },
];

const ANSWERS = new Map(DEMO_CONVERSATIONS.map((conversation) => [conversation.question, conversation]));

/** The answer to a question of the demo; undefined for other questions. */
export function demoAnswer(question: string, bold: boolean): string | undefined {
  const known = ANSWERS.get(question);
  return bold ? (known?.bolder ?? known?.answer) : known?.answer;
}
