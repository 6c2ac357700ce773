/**
 * Parses the command line and runs the command. The server's code is loaded only for commands that
 * need it.
 */

import { cleanText } from '@proofmark/domain';
import { type Command, CommanderError } from 'commander';
import { makeProgram } from './make-program.ts';
import { printNotice } from './output.ts';
import { exitCodes, UsageProblem } from './remote/exit-codes.ts';

export type CommandLoaders = Readonly<Record<string, () => Promise<Command>>>;

export interface CommandSet {
  readonly commands: CommandLoaders;
  /** Called only for errors that the command itself did not print. */
  readonly failureSentence: (error: unknown) => Promise<string>;
}

export async function run(
  argv: readonly string[],
  { commands: loaders, failureSentence }: CommandSet,
): Promise<void> {
  const commands = await loadNamed(argv[0], loaders);
  const program = makeProgram(commands);
  const misplaced = misplacedWord(argv[0], commands);
  if (misplaced !== undefined) {
    printNotice(misplaced);
    process.exitCode = exitCodes.usage;
    return;
  }
  try {
    await program.parseAsync([...argv], { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? 0 : exitCodes.usage;
      return;
    }
    const isUsage = error instanceof UsageProblem;
    printNotice(isUsage ? cleanText(error.message, false) : await failureSentence(error));
    process.exitCode = isUsage ? exitCodes.usage : exitCodes.other;
  }
}

export function loadAll(loaders: CommandLoaders): Promise<Command[]> {
  return Promise.all(Object.values(loaders).map((load) => load()));
}

/**
 * Loads only the typed command, because loading all commands takes half a second. Help and
 * completion need all of them.
 */
async function loadNamed(word: string | undefined, loaders: CommandLoaders): Promise<Command[]> {
  if (word === '--version' || word === '-V') return [];
  const load = word === undefined || !Object.hasOwn(loaders, word) ? undefined : loaders[word];
  return load === undefined || word === 'completion' ? loadAll(loaders) : [await load()];
}

/**
 * Returns a hint if the word is a subcommand typed without its group, such as `decision` instead of
 * `eval decision`.
 */
export function misplacedWord(
  word: string | undefined,
  commands: readonly Command[],
): string | undefined {
  const has = (command: Command) => [command.name(), ...command.aliases()].includes(word as string);
  if (word === undefined || commands.some(has)) return undefined;
  const groups = commands.filter(({ commands: inner }) => inner.some(has));
  if (groups.length === 0) return undefined;
  const places = groups.map((group) => `proofmark ${group.name()} ${word}`);
  return `There is no command "${word}" by itself. Try: ${places.join(', ')}.`;
}
