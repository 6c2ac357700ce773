/**
 * A command that sends one request to the service. It prints text, or with `--json` the response as
 * JSON.
 */
import type { Command } from 'commander';
import { printJson, printLine } from '../output.ts';
import {
  type Connection,
  type ConnectionFlags,
  connectToService,
  remoteCommand,
  remotely,
} from './connection.ts';
import { exitCodes } from './exit-codes.ts';
import { sentenceWrapper } from './indented-lines.ts';
import { type TerminalAbility, terminalAbility } from './terminal.ts';

/**
 * `sentences` returns sentences that the command wraps; `lines` returns lines already formatted for
 * the terminal.
 */
type Shown<Answer> =
  | { readonly sentences: (answer: Answer) => readonly string[] }
  | { readonly lines: (answer: Answer, ability: TerminalAbility) => readonly string[] };

interface Doing<Answer, Flags> {
  readonly name: string;
  readonly description: string;
  readonly json?: string;
  readonly arguments: readonly (readonly [name: string, description: string])[];
  readonly act: (
    connection: Connection,
    values: readonly string[],
    flags: Flags,
  ) => Promise<Answer>;
  /** Connects in another way than to a service that runs. */
  readonly connected?: Connected;
}

/** Connects, does the work, and disconnects. */
type Connected = <Done>(
  flags: ConnectionFlags,
  work: (connection: Connection) => Promise<Done>,
) => Promise<Done>;

const toService: Connected = async (flags, work) => work(await connectToService(flags));

export function doCommand<Answer, Flags = object>(
  doing: Doing<Answer, Flags> & Shown<Answer>,
): Command {
  const command = remoteCommand(doing.name).description(doing.description);
  for (const [name, description] of doing.arguments) command.argument(`<${name}>`, description);
  const json = `print ${doing.json ?? 'the answer'} as JSON`;
  return command.option('--json', json).action((...given: unknown[]) => {
    const values = given.slice(0, doing.arguments.length) as string[];
    const flags = given[doing.arguments.length] as Flags & ConnectionFlags & { json?: true };
    return remotely(async () => {
      const { connected = toService } = doing;
      const answer = await connected(flags, (connection) => doing.act(connection, values, flags));
      if (flags.json) printJson(answer);
      else for (const line of linesOf(doing, answer)) printLine(line);
      return exitCodes.passed;
    });
  });
}

function linesOf<Answer>(shown: Shown<Answer>, answer: Answer): readonly string[] {
  const ability = terminalAbility();
  if ('lines' in shown) return shown.lines(answer, ability);
  const wrap = sentenceWrapper(ability);
  return shown.sentences(answer).flatMap((sentence) => wrap(sentence));
}

export const ofRun = [['run', 'the id of the run']] as const;
export const ofTrial = [
  ...ofRun,
  ['trial', 'the id of the trial; `proofmark eval iterations` lists them'],
] as const;
