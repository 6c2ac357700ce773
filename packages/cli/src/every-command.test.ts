import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { allCommands } from './all-commands.ts';
import { commandExamples } from './command-examples.ts';
import { commandReference, endCommands, helpText } from './command-reference.ts';
import { completionScript, shells } from './completion.ts';
import { makeProgram } from './make-program.ts';
import { loadAll } from './run.ts';

const load = () => loadAll(allCommands.commands);
const program = async () => makeProgram(await load());
const all = endCommands(await program());

test.each(all)('$typed has examples of itself, and help that fits', ({ typed, command }) => {
  const [, examples, ...more] = helpText(command).split('\nExamples:\n');
  expect(more).toEqual([]);
  expect(examples).toContain(typed);
  expect(
    helpText(command)
      .split('\n')
      .filter((line) => line.length > 80),
  ).toEqual([]);
});

test('every command is found by its name', async () => {
  const names = (await load()).map((command) => command.name());
  expect(names).toEqual(Object.keys(allCommands.commands));
});

test('examples are of commands that are there', () => {
  const typed = all.map((one) => one.typed.replace(/^proofmark /, ''));
  expect(Object.keys(commandExamples).filter((name) => !typed.includes(name))).toEqual([]);
  const flagsIn = (line: string) => [...line.matchAll(/ (--[\w-]+)/g)].map(([, flag]) => flag);
  const unknown = all.flatMap(({ typed: name, command }) =>
    (commandExamples[name.replace(/^proofmark /, '')] ?? [])
      .flatMap(flagsIn)
      .filter((flag) => !command.options.some(({ long }) => long === flag)),
  );
  expect(unknown).toEqual([]);
});

test('the reference is the one in docs/reference; npm run generate writes it anew', async () => {
  const file = new URL('../../../docs/reference/commands.md', import.meta.url);
  expect(commandReference(await load())).toBe(readFileSync(file, 'utf8'));
});

test.each(shells)('%s completes every command and flag', async (shell) => {
  const script = completionScript(shell, await program());
  for (const { typed, command } of all) {
    expect(script).toContain(typed.replace(/^proofmark /, '/').replaceAll(' ', '/'));
    for (const { long } of command.options) {
      expect(script).toContain(shell === 'fish' ? `-l ${long?.slice(2)} ` : long);
    }
  }
});

const bash = completionScript('bash', await program());
const completed = (...words: string[]) =>
  execFileSync('bash', [
    '--norc',
    '-c',
    `${bash}
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _proofmark; printf '%s\\n' "\${COMPREPLY[@]}"`,
    'bash',
    ...words,
  ])
    .toString()
    .split('\n')
    .filter(Boolean);

test('bash itself completes what is typed', () => {
  expect(completed('proofmark', 'serv')).toEqual(['serve', 'server']);
  expect(completed('proofmark', 'server', 'e')).toEqual(['edit', 'export']);
  expect(completed('proofmark', 'server', 'add', 'Shop', '--cl')).toEqual([
    ...['--client-id', '--client-secret'],
  ]);
  // Here `add` is the name of a server, so flags are completed and not subcommands.
  expect(completed('proofmark', 'doctor', 'add', '--ser')).toEqual(['--server']);
  expect(completed('proofmark', 'nonsense-of-')).toEqual([]);
});
