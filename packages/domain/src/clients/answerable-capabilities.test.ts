import { expect, test } from 'vitest';
import { answerableCapabilities } from './answerable-capabilities.ts';
import { clientTemplateIds } from './client-template-ids.ts';
import { templateConfig } from './client-templates.ts';

const ui = { 'io.modelcontextprotocol/ui': {} };

test.each<[string, object | undefined, boolean, object]>([
  ['nothing is said, in a trial', undefined, true, { sampling: {}, elicitation: { form: {} } }],
  ['nothing is said, elsewhere', undefined, false, {}],
  ['a client without abilities', {}, true, {}],
  ['sampling with tools', { sampling: { tools: {}, context: {} } }, true, { sampling: {} }],
  ['sampling and nobody to answer', { sampling: {}, roots: {} }, false, { roots: {} }],
  ['an empty elicitation', { elicitation: {} }, true, { elicitation: {} }],
  [
    'a form and an address',
    { elicitation: { form: {}, url: {} } },
    true,
    { elicitation: { form: {} } },
  ],
  ['an address alone', { elicitation: { url: {} } }, true, {}],
  ['elicitation and nobody to answer', { elicitation: { form: {} } }, false, {}],
  [
    'tasks',
    { tasks: { requests: {} }, experimental: { canary: {} } },
    true,
    { experimental: { canary: {} } },
  ],
  [
    'extensions',
    { extensions: { ...ui, 'io.modelcontextprotocol/tasks': {} } },
    false,
    { extensions: ui },
  ],
  ['roots', { roots: { listChanged: true } }, false, { roots: { listChanged: true } }],
])('what is declared of %s is what can be answered', (_, declared, isAnswered, expected) => {
  expect(answerableCapabilities(declared as never, isAnswered)).toEqual(expected);
});

test('every template can live up to all it declares in a trial', () => {
  for (const id of clientTemplateIds) {
    const { clientCapabilities } = templateConfig(id);
    expect(answerableCapabilities(clientCapabilities, true)).toEqual(clientCapabilities);
  }
});
