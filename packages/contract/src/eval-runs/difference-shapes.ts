import { surfaceChanges } from '@proofmark/domain';
import * as z from 'zod';
import { Id } from '../fields.ts';

const Total = z.number().int().min(0);

const ChangedPart = z
  .object({
    part: z.string(),
    before: z.unknown().optional().meta({ description: 'Absent where there was nothing.' }),
    after: z.unknown().optional().meta({ description: 'Absent where there is nothing.' }),
  })
  .meta({ id: 'ChangedPart' });

const ChangedTool = z
  .object({
    change: z.enum(surfaceChanges),
    name: z.string(),
    formerName: z.string().optional().meta({ description: 'Of one that was renamed.' }),
    likeness: z.number().optional().meta({ description: 'Of one that was renamed.' }),
    parts: z.array(ChangedPart).meta({ description: 'What the tool says of itself.' }),
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
    servers: Total.meta({ description: '0 where no list of tools was kept.' }),
    tools: Total,
    unsteadyServers: z.array(z.string()).meta({
      description:
        'Names of servers that changed their tools while the run went on. The list that most trials saw counts.',
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
      total: Total.meta({ description: 'Tools that differ.' }),
      servers: z.array(ChangedServer).meta({
        description: 'Those where something differs, with the first 200 tools that do.',
      }),
    }),
    cases: z.object({
      isKnown: z.boolean().meta({ description: 'false where a run was reported from outside.' }),
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
        .meta({ description: 'The first 100 that both runs have and that differ.' }),
    }),
    judge: z.array(ChangedPart),
  })
  .meta({ id: 'EvalRunDifferences' });
