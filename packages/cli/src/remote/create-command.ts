/**
 * The `create` subcommand of several resources. Its fields come from a JSON file and from flags. A
 * flag overrides the field in the file.
 */
import type { Json } from '@proofmark/domain';
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
import { readGivenFields } from './read-given-file.ts';
import { terminalAbility } from './terminal.ts';

interface Made {
  readonly id: string;
  readonly name: string;
}

export function createCommand<Flags>(creating: {
  readonly what: string;
  readonly description: string;
  readonly fieldsOf: (flags: Flags, connection: Connection) => Promise<Json> | Json;
  readonly create: (connection: Connection, fields: Json) => Promise<Made>;
  /** Returns a hint on what to do next with the created resource. */
  readonly next: (id: string) => string;
}): Command {
  return remoteCommand('create')
    .description(creating.description)
    .argument('[file]', 'a JSON file with its fields, as in the API; - reads standard input')
    .option('--json', 'print the result as JSON')
    .action((file: string | undefined, flags: Flags & ConnectionFlags & { json?: true }) =>
      remotely(async () => {
        const given = await readGivenFields(file);
        const connection = await connectToService(flags);
        const fields = { ...given, ...(await creating.fieldsOf(flags, connection)) };
        const made = await creating.create(connection, fields);
        if (flags.json) printJson(made);
        else {
          const sentence = `Made ${creating.what} ${made.name}.`;
          for (const line of sentenceWrapper(terminalAbility())(sentence)) printLine(line);
          printLine(creating.next(made.id));
        }
        return exitCodes.passed;
      }),
    );
}

export function given(fields: Json): Json {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
