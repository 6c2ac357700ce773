/**
 * The suite that is run on the first start. Six of its cases pass. One stops at selection, because a tool does not say
 * what it is good for, and one at response, because a tool that was called rightly answers with an error.
 */
import { type EvalCaseDefinition, lexicalModelId, type SuiteDefinition } from '@proofmark/domain';

export const sampleSuite: {
  readonly name: string;
  readonly description: string;
  readonly definition: SuiteDefinition;
  readonly cases: readonly EvalCaseDefinition[];
} = {
  name: 'Sample: questions to a bookshop',
  description:
    'Eight questions to the sample bookshop. Two fail on purpose, so that there is something to look into.',
  definition: {
    model: lexicalModelId,
    settings: { verdictPolicyDefaults: { repetitions: 1, passThreshold: 1 } },
  },
  cases: [
    {
      declaredId: 'find-by-author',
      title: 'Finds the books of an author',
      steps: asks(
        'ask',
        'Search for books by "Ida Moreau".',
        called('search_books', { query: 'Ida Moreau' }),
        says('The Quiet Compiler'),
      ),
    },
    {
      declaredId: 'tell-the-price',
      title: 'Tells the price of a book',
      steps: asks(
        'ask',
        'What is the price of book 3?',
        called('get_book', { bookId: 3 }),
        says('31'),
      ),
    },
    {
      declaredId: 'order-two-copies',
      title: 'Orders two copies of a book',
      steps: asks(
        'ask',
        'Order 2 copies of book 1.',
        called('order_book', { bookId: 1, copies: 2 }),
        says('48'),
      ),
    },
    {
      declaredId: 'find-then-order',
      title: 'Finds a book, then orders it',
      steps: [
        ...asks(
          'find',
          'Search for "Field Guide".',
          called('search_books', { query: 'Field Guide' }),
        ),
        ...asks('order', 'Order 1 copy of book 3.', called('order_book', { bookId: 3, copies: 1 })),
      ],
    },
    {
      declaredId: 'return-a-gift',
      title: 'Says how a gift can be returned',
      scenario:
        'The server has a tool for this, but neither its name nor its description says so, and it is not chosen.',
      steps: asks('ask', 'Can I return a gift?', called('read_terms', { section: 2 })),
    },
    {
      declaredId: 'hours-on-monday',
      title: 'Tells the opening hours on Monday',
      steps: asks(
        'ask',
        'What are the opening hours on Monday?',
        called('opening_hours', { day: 'Monday' }),
        says('09:00'),
      ),
    },
    {
      declaredId: 'hours-on-sunday',
      title: 'Tells the opening hours on Sunday',
      scenario: 'The right tool is called rightly, and the server answers with an error.',
      steps: asks(
        'ask',
        'What are the opening hours on Sunday?',
        called('opening_hours', { day: 'Sunday' }),
      ),
    },
    {
      declaredId: 'say-goodbye',
      title: 'Calls no tool to say goodbye',
      isNegative: true,
      steps: asks('ask', 'Thank you, goodbye!'),
    },
  ],
};

type Steps = EvalCaseDefinition['steps'];
type Assertion = Extract<Steps[number], { kind: 'assert' }>['assertion'];

/** One message of the user, and what is asserted about the turn it opens. */
function asks(id: string, prompt: string, ...assertions: readonly Assertion[]): Steps {
  return [
    { id, kind: 'prompt', prompt },
    ...assertions.map((assertion, at): Steps[number] => ({
      id: `${id}-${at + 1}`,
      kind: 'assert',
      assertion,
    })),
  ];
}

function called(toolName: string, args: Readonly<Record<string, unknown>>): Assertion {
  return { type: 'toolCalledWith', toolName, args: { args: { ...args } } };
}

function says(needle: string): Assertion {
  return { type: 'responseContains', needle };
}
