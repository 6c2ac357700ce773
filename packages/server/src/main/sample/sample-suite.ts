/**
 * The suite that runs on the first start. One case fails at selection, because a tool's description
 * is incomplete. One fails at response, because the tool returns an error. If widgets can be
 * rendered, two more cases use the widget, and one of them fails.
 */
import {
  type EvalCaseDefinition,
  lexicalModelId,
  type SuiteDefinition,
  sampleServerName,
} from '@proofmark/domain';

export interface SampleSuite {
  readonly name: string;
  readonly description: string;
  readonly definition: SuiteDefinition;
  readonly cases: readonly EvalCaseDefinition[];
}

export function sampleSuiteWith({ widgets }: { readonly widgets: boolean }): SampleSuite {
  const { cases } = sampleSuite;
  return widgets ? { ...sampleSuite, cases: [...cases, ...widgetCases] } : sampleSuite;
}

export const sampleSuite: SampleSuite = {
  name: 'Sample: questions to a bookshop',
  description:
    'Questions to the sample bookshop. Some fail on purpose, so that there is something to look into.',
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
      scenario: 'The right tool is called correctly, and the server answers with an error.',
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

/**
 * The time limit for rendering a widget, in milliseconds. It is shorter than the default of ten
 * seconds, because the widget that shows nothing uses it up.
 */
const renderTimeoutMs = 4000;

const inForm = { toolName: 'show_order_form' } as const;
const copies = { target: { role: { role: 'spinbutton', name: 'Copies' } } };
const orderButton = { target: { role: { role: 'button', name: 'Order' } } };

export const widgetCases: readonly EvalCaseDefinition[] = [
  {
    declaredId: 'order-by-form',
    title: 'Orders two copies in the order form',
    steps: [
      showsForm({ bookId: 1 }),
      { id: 'copies', kind: 'interact', ...inForm, action: { kind: 'type', ...copies, text: '2' } },
      { id: 'order', kind: 'interact', ...inForm, action: { kind: 'click', ...orderButton } },
      sees('ordered', { kind: 'textVisible', ...inForm, text: 'Ordered. Total: 48' }),
      sees('called', { kind: 'widgetToolCalled', ...inForm, calledToolName: 'order_book' }),
    ],
  },
  {
    declaredId: 'sold-out-in-form',
    title: 'Says in the order form that a book is sold out',
    scenario:
      'The tool answers well, but its widget expects a book in every result and draws nothing.',
    steps: [
      showsForm({ bookId: 2 }),
      sees('says-so', { kind: 'textVisible', ...inForm, text: 'sold out' }),
    ],
  },
];

type Steps = EvalCaseDefinition['steps'];
type Assertion = Extract<Steps[number], { kind: 'assert' }>['assertion'];

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

function showsForm(args: Readonly<Record<string, unknown>>): Steps[number] {
  return {
    id: 'show',
    kind: 'toolCall',
    serverName: sampleServerName,
    toolName: 'show_order_form',
    arguments: { ...args },
    renderTimeoutMs,
  };
}

function sees(id: string, assertion: Assertion): Steps[number] {
  return { id, kind: 'assert', assertion };
}

function called(toolName: string, args: Readonly<Record<string, unknown>>): Assertion {
  return { type: 'toolCalledWith', toolName, args: { args: { ...args } } };
}

function says(needle: string): Assertion {
  return { type: 'responseContains', needle };
}
