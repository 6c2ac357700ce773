import { SurfaceOverlay } from '@proofmark/domain';
import * as z from 'zod';
import { Id } from '../fields.ts';
import { Tool } from '../servers/diagnostic-shapes.ts';

export const EvalIterationServerTools = z
  .object({
    serverId: Id,
    serverName: z.string().nullable().meta({
      description: 'As it was when the run was launched. null: nobody knows it any more.',
    }),
    tools: z.array(Tool).meta({ description: 'By name.' }),
    hiddenToolNames: z.array(z.string()).meta({
      description: 'Of these tools, those that the client of the run kept from the model.',
    }),
  })
  .meta({ id: 'EvalIterationServerTools' });

export const EvalIterationTools = z
  .object({
    hash: z.string().meta({ description: 'SHA-256 over all servers and their tools.' }),
    servers: z.array(EvalIterationServerTools),
    overlay: SurfaceOverlay.optional().meta({
      description:
        'An addition of Proofmark beyond the specification: what models were shown in the place of these.',
    }),
  })
  .meta({ id: 'EvalIterationTools', description: 'The tools of the servers of a trial.' });
