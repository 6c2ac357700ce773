/** A command that does one thing to one thing: lines for people, the answer itself for programs. */
import { cleanText } from '@proofmark/domain';
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
import { terminalAbility } from './terminal.ts';
import { wrapped } from './wrapped.ts';

export function doCommand<Answer, Flags = object>(doing: {
  readonly name: string;
  readonly description: string;
  readonly arguments: readonly (readonly [name: string, description: string])[];
  readonly act: (
    connection: Connection,
    values: readonly string[],
    flags: Flags,
  ) => Promise<Answer>;
  readonly tell: (answer: Answer) => readonly string[];
}): Command {
  const command = remoteCommand(doing.name).description(doing.description);
  for (const [name, description] of doing.arguments) command.argument(`<${name}>`, description);
  return command.option('--json', 'print the answer as JSON').action((...given: unknown[]) => {
    const values = given.slice(0, doing.arguments.length) as string[];
    const flags = given[doing.arguments.length] as Flags & ConnectionFlags & { json?: true };
    return remotely(async () => {
      const answer = await doing.act(await connectToService(flags), values, flags);
      const { ascii, width } = terminalAbility();
      if (flags.json) printJson(answer);
      else {
        const lines = doing.tell(answer).map((line) => cleanText(line, ascii));
        for (const line of lines.flatMap((one) => wrapped(one, width))) printLine(line);
      }
      return exitCodes.passed;
    });
  });
}
