import { cleanText } from '@proofmark/domain';
import { printJson, printLine } from '../output.ts';
import {
  type Connection,
  type ConnectionFlags,
  connectToService,
  remoteCommand,
  remotely,
} from './connection.ts';
import { exitCodes } from './exit-codes.ts';
import { type TerminalAbility, terminalAbility } from './terminal.ts';
import { wrapped } from './wrap-line.ts';

export type NamedFacts = readonly (readonly [name: string, value: string])[];

export function factLines(facts: NamedFacts, { ascii, width }: TerminalAbility): string[] {
  const nameWidth = Math.max(...facts.map(([name]) => name.length)) + 2;
  return facts.flatMap(([name, value]) =>
    wrapped(cleanText(value, ascii), width - nameWidth).map(
      (line, at) => `${(at === 0 ? `${name}:` : '').padEnd(nameWidth)}${line}`,
    ),
  );
}

export function showCommand<Item>(showing: {
  readonly what: string;
  readonly description: string;
  readonly read: (connection: Connection, wanted: string) => Promise<Item>;
  readonly facts: (item: Item, connection: Connection) => Promise<NamedFacts> | NamedFacts;
}) {
  return remoteCommand('show')
    .description(showing.description)
    .argument(`<${showing.what}>`, `the id or the name of the ${showing.what}`)
    .option('--json', 'print it as JSON')
    .action((wanted: string, flags: ConnectionFlags & { json?: true }) =>
      remotely(async () => {
        const connection = await connectToService(flags);
        const item = await showing.read(connection, wanted);
        if (flags.json) printJson(item);
        else {
          const facts = await showing.facts(item, connection);
          for (const line of factLines(facts, terminalAbility())) printLine(line);
        }
        return exitCodes.passed;
      }),
    );
}
