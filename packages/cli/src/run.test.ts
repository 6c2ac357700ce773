import { Command } from 'commander';
import { expect, test } from 'vitest';
import { misplacedWord } from './run.ts';

const group = (name: string, ...inner: string[]) => {
  const made = new Command(name);
  for (const one of inner) made.command(one);
  return made;
};
const commands = [group('eval', 'run', 'list'), group('journey', 'run'), group('serve')];

test.each([
  ['run', 'There is no command "run" by itself. Try: proofmark eval run, proofmark journey run.'],
  ['list', 'There is no command "list" by itself. Try: proofmark eval list.'],
  // A command of this name, one that nobody knows, and a flag are for the parser.
  ['serve', undefined],
  ['nonsense', undefined],
  ['--help', undefined],
  [undefined, undefined],
])('%j alone: %j', (word, told) => {
  expect(misplacedWord(word, commands)).toBe(told);
});
