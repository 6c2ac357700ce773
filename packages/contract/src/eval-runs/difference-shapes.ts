import { surfaceChanges } from '@proofmark/domain';
import * as z from 'zod';
import { Id } from '../fields.ts';

const Total = z.number().int().min(0);

const ChangedPart = z
  .object({
    part: z.string(),
    before: z.unknown().optional().meta({ description: 'Absent if the part is new.' }),
    after: z.unknown().optional().meta({ description: 'Absent if the part was removed.' }),
  })
  .meta({ id: 'ChangedPart' });

const ChangedTool = z
  .object({
    change: z.enum(surfaceChanges),
    name: z.string(),
    formerName: z.string().optional().meta({ description: 'Only for a renamed tool.' }),
    likeness: z.number().optional().meta({ description: 'Only for a renamed tool.' }),
    parts: z.array(ChangedPart).meta({ description: 'The changed parts of the listed tool.' }),
  })
  .meta({ id: 'ChangedTool' });

const ChangedServer = z
  .object({
    change: z.enum(surfaceChanges),
    serverId: Id,
    serverName: z.string().nullable(),
    formerServerId: Id.optional(),
    formerServerName: z.string().optional(),
    tools: z.array(ChangedTool).meta({ description: 'By name.' }),
  })
  .meta({ id: 'ChangedServer' });

const SurfaceSide = z
  .object({
    servers: Total.meta({ description: '0 if no list of tools was stored.' }),
    tools: Total,
    unsteadyServers: z.array(z.string()).meta({
      description:
        'Names of servers that changed their tools during the run. The list that most trials had is compared.',
    }),
  })
  .meta({ id: 'SurfaceSide' });

export const EvalRunDifferences = z
  .object({
    runId: Id,
    baseRunId: Id,
    tools: z.object({
      base: SurfaceSide,
      compare: SurfaceSide,
      total: Total.meta({ description: 'The number of tools that differ.' }),
      servers: z.array(ChangedServer).meta({
        description: 'Servers with differences, with their first 200 differing tools.',
      }),
    }),
    cases: z.object({
      isKnown: z
        .boolean()
        .meta({ description: 'false if one of the runs was reported from outside.' }),
      total: Total,
      items: z
        .array(
          z.object({
            caseKey: z.string(),
            title: z.string(),
            asked: z.array(ChangedPart),
            graded: z.array(ChangedPart),
          }),
        )
        .meta({ description: 'The first 100 cases that both runs have and that differ.' }),
    }),
    judge: z.array(ChangedPart),
  })
  .meta({ id: 'EvalRunDifferences' });
