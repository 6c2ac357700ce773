/**
 * The `draft` subcommand prints personas or journeys drafted from an environment's tools. It stores
 * nothing; the user creates those that are wanted.
 */
import type { OutputOf } from '@proofmark/contract';
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
import { findEnvironmentIds } from './find-id.ts';
import { sentenceWrapper } from './indented-lines.ts';
import { terminalAbility } from './terminal.ts';
import { wholeNumber } from './whole-number.ts';

export type Drafts = OutputOf<'generatePersonas'>;
type JourneyDraft = NonNullable<Drafts['journeys']>[number];

interface Flags extends ConnectionFlags {
  readonly environment: string;
  readonly journeys?: number;
  readonly about?: string;
  readonly json?: true;
}

export interface DraftSource {
  readonly environmentId: string;
  readonly journeyCount?: number;
  readonly description?: string;
}

export function draftCommand<More>(drafting: {
  readonly description: string;
  readonly draft: (
    connection: Connection,
    grounding: DraftSource,
    flags: Flags & More,
  ) => Promise<Drafts>;
  readonly next: string;
}): Command {
  return remoteCommand('draft')
    .description(drafting.description)
    .requiredOption('--environment <id or name>', 'the environment whose tools to use')
    .option('--journeys <number>', 'journeys for each persona (1 to 5)', wholeNumber)
    .option('--about <text>', 'a description of the wanted drafts')
    .option('--json', 'print them as JSON')
    .action((flags: Flags & More) =>
      remotely(async () => {
        const connection = await connectToService(flags);
        const [environmentId = ''] = await findEnvironmentIds(connection, [flags.environment]);
        const { journeys: journeyCount, about: description } = flags;
        const grounding = {
          environmentId,
          ...(journeyCount !== undefined && { journeyCount }),
          ...(description !== undefined && { description }),
        };
        const drafts = await drafting.draft(connection, grounding, flags);
        if (flags.json) printJson(drafts);
        else for (const line of draftLines(drafts, drafting.next)) printLine(line);
        return exitCodes.passed;
      }),
    );
}

function draftLines(drafts: Drafts, next: string): string[] {
  const wrap = sentenceWrapper(terminalAbility());
  const journeyLines = ({ name, goal, suggestedChecks = [] }: JourneyDraft) => [
    ...(name === undefined ? [] : wrap(`Journey: ${name}`, '  ')),
    ...goal.split('\n').flatMap((line, at) => wrap(at === 0 ? `Goal: ${line}` : line, '    ')),
    ...suggestedChecks.flatMap(({ toolName }) => wrap(`Check: ${toolName} is called`, '    ')),
  ];
  return [
    ...(drafts.personas ?? []).flatMap(({ persona, journeys }) => [
      ...wrap(`Persona: ${persona.name}, ${persona.role}`),
      ...(persona.notes === undefined ? [] : wrap(`Notes: ${persona.notes}`, '  ')),
      ...journeys.flatMap(journeyLines),
    ]),
    ...(drafts.journeys ?? []).flatMap(journeyLines),
    ...wrap(`Drafted by ${drafts.generationModel}; nothing is stored.`),
    `Make one: ${next}`,
  ];
}
