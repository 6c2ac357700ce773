import { SurfaceOverlay } from '@proofmark/domain';
import * as z from 'zod';
import { Id } from '../fields.ts';
import { Tool } from '../servers/diagnostic-shapes.ts';

export const EvalIterationServerTools = z
  .object({
    serverId: Id,
    serverName: z.string().nullable().meta({
      description: 'The name of the server when the run was launched; null if it is not known.',
    }),
    tools: z.array(Tool).meta({ description: 'By name.' }),
    hiddenToolNames: z.array(z.string()).meta({
      description: 'The tools of this list that the client of the run hid from the model.',
    }),
  })
  .meta({ id: 'EvalIterationServerTools' });

export const EvalIterationTools = z
  .object({
    hash: z.string().meta({ description: 'The SHA-256 of all servers and their tools.' }),
    servers: z.array(EvalIterationServerTools),
    overlay: SurfaceOverlay.optional().meta({
      description:
        'An addition of Proofmark beyond the specification: the replacements for these tools that models were shown.',
    }),
  })
  .meta({ id: 'EvalIterationTools', description: 'The tools of the servers of a trial.' });
