import { Command } from 'commander';
import { expect, test, vi } from 'vitest';
import { misplacedWord, run } from './run.ts';

const group = (name: string, ...inner: string[]) => {
  const made = new Command(name);
  for (const one of inner) made.command(one);
  return made;
};
const commands = [group('eval', 'run', 'list'), group('journey', 'run'), group('serve')];

test.each([
  ['run', 'There is no command "run" by itself. Try: proofmark eval run, proofmark journey run.'],
  ['list', 'There is no command "list" by itself. Try: proofmark eval list.'],
  // No hint is returned: the command-line parser handles existing commands, unknown words and
  // flags.
  ['serve', undefined],
  ['nonsense', undefined],
  ['--help', undefined],
  [undefined, undefined],
])('%j alone: %j', (word, expected) => {
  expect(misplacedWord(word, commands)).toBe(expected);
});

test.each([
  [['eval', '--version'], ['eval']],
  [['--version'], []],
  // These command lines need every command, so all commands are loaded.
  [['completion'], ['eval', 'serve', 'completion']],
  [['--help'], ['eval', 'serve', 'completion']],
  [['nonsense'], ['eval', 'serve', 'completion']],
])('%j loads %j', async (argv, expected) => {
  const loaded: string[] = [];
  const loader = (name: string) => async () => {
    loaded.push(name);
    return group(name).action(() => undefined);
  };
  const names = ['eval', 'serve', 'completion'];
  const written = [process.stdout, process.stderr].map((stream) =>
    vi.spyOn(stream, 'write').mockReturnValue(true),
  );
  try {
    await run(argv, {
      commands: Object.fromEntries(names.map((name) => [name, loader(name)])),
      failureSentence: async () => 'It failed.',
    });
  } finally {
    for (const spy of written) spy.mockRestore();
    process.exitCode = undefined;
  }
  expect(loaded).toEqual(expected);
});
