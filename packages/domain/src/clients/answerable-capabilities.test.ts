import fc from 'fast-check';
import { expect, test } from 'vitest';
import { taskExtension } from '../protocol/task-progress.ts';
import {
  answerableCapabilities,
  declaresTasks,
  legacyCapabilities,
} from './answerable-capabilities.ts';
import { clientTemplateIds } from './client-template-ids.ts';
import { templateConfig } from './client-templates.ts';

const ui = { 'io.modelcontextprotocol/ui': {} };
const tasks = { extensions: { [taskExtension]: {} } };

test.each<[string, object | undefined, boolean, object]>([
  [
    'nothing is said, in a trial',
    undefined,
    true,
    { sampling: {}, elicitation: { form: {} }, ...tasks },
  ],
  ['nothing is said, elsewhere', undefined, false, tasks],
  ['a client without abilities', {}, true, tasks],
  [
    'sampling with tools',
    { sampling: { tools: {}, context: {} } },
    true,
    { sampling: {}, ...tasks },
  ],
  ['sampling and nobody to answer', { sampling: {}, roots: {} }, false, { roots: {}, ...tasks }],
  ['an empty elicitation', { elicitation: {} }, true, { elicitation: {}, ...tasks }],
  [
    'a form and an address',
    { elicitation: { form: {}, url: {} } },
    true,
    { elicitation: { form: {} }, ...tasks },
  ],
  ['an address alone', { elicitation: { url: {} } }, true, tasks],
  ['elicitation and nobody to answer', { elicitation: { form: {} } }, false, tasks],
  [
    'tasks of the older kind',
    { tasks: { requests: {} }, experimental: { canary: {} } },
    true,
    { experimental: { canary: {} }, ...tasks },
  ],
  [
    'extensions with tasks',
    { extensions: { ...ui, ...tasks.extensions } },
    false,
    { extensions: { ...ui, ...tasks.extensions } },
  ],
  ['extensions without tasks', { extensions: ui }, true, { extensions: ui }],
  ['no extension', { extensions: {} }, true, { extensions: {} }],
  ['roots', { roots: { listChanged: true } }, false, { roots: { listChanged: true }, ...tasks }],
])('what is declared of %s is what can be answered', (_, declared, isAnswered, expected) => {
  expect(answerableCapabilities(declared as never, { isAnswered })).toEqual(expected);
});

test.each<[string, object | undefined, boolean, object | undefined]>([
  ['nothing is said', undefined, true, { form: {}, url: {} }],
  ['forms', { elicitation: { form: {} } }, true, { form: {}, url: {} }],
  ['an empty elicitation', { elicitation: {} }, true, { form: {}, url: {} }],
  ['an address alone', { elicitation: { url: {} } }, true, { url: {} }],
  ['a client without elicitation', { sampling: {} }, true, undefined],
  ['nobody to answer', undefined, false, undefined],
])('a case that answers addresses declares them for %s', (_, declared, isAnswered, expected) => {
  const answers = { isAnswered, answersUrls: true };
  expect(answerableCapabilities(declared as never, answers)['elicitation']).toEqual(expected);
});

test('extensions other than tasks are declared as the client states them, in both eras', () => {
  const extensions = fc.dictionary(fc.string(), fc.object());
  fc.assert(
    fc.property(extensions, fc.boolean(), fc.boolean(), (stated, withTasks, isAnswered) => {
      const all = { ...stated, ...(withTasks && tasks.extensions) };
      const declared = answerableCapabilities({ extensions: all }, { isAnswered });
      expect(declared['extensions']).toEqual(all);
      expect(declaresTasks(declared)).toBe(withTasks);
      const legacy = legacyCapabilities(declared);
      expect(legacy['extensions'] ?? {}).toEqual(stated);
      expect(declaresTasks(legacy)).toBe(false);
    }),
  );
});

test('the older era is told of no extension where only tasks are declared', () => {
  expect(legacyCapabilities({ roots: {}, ...tasks })).toEqual({ roots: {} });
});

test('every template can live up to all it declares in a trial', () => {
  for (const id of clientTemplateIds) {
    const { clientCapabilities } = templateConfig(id);
    expect(answerableCapabilities(clientCapabilities, { isAnswered: true })).toMatchObject(
      clientCapabilities,
    );
  }
});
