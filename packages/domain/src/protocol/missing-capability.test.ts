import { expect, test } from 'vitest';
import { missingCapability } from './missing-capability.ts';
import { taskExtension } from './task-progress.ts';

const tasks = { extensions: { [taskExtension]: {} } };

test.each<[string, unknown, object, string | undefined]>([
  ['the extension that is not declared', tasks, {}, `the extension ${taskExtension}`],
  [
    'an extension beside another',
    tasks,
    { extensions: { 'a/b': {} } },
    `the extension ${taskExtension}`,
  ],
  ['nothing where it is declared', tasks, tasks, undefined],
  ['sampling', { sampling: {} }, { roots: {} }, 'sampling'],
  ['tools for sampling', { sampling: { tools: {} } }, { sampling: {} }, 'sampling with tools'],
  ['elicitation by URL', { elicitation: { url: {} } }, { elicitation: {} }, 'elicitation by URL'],
  ['elicitation', { elicitation: { form: {} } }, {}, 'elicitation'],
  ['nothing where forms are meant', { elicitation: { form: {} } }, { elicitation: {} }, undefined],
  ['both', { sampling: {}, roots: {} }, {}, 'sampling and roots'],
  ['no name where the error has none', undefined, {}, 'an ability of the client'],
  ['no name where the list is empty', {}, {}, 'an ability of the client'],
])('an error that requires capabilities names %s', (_, required, declared, expected) => {
  expect(missingCapability(required, declared as never)).toBe(expected);
});
