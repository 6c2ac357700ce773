import { healthProblems } from '@proofmark/domain';
import * as z from 'zod';
import { WidgetsTestable } from '../catalog/widgets-testable.ts';
import { Instant } from '../fields.ts';

const Count = z.number().int().min(0);

export const WorkerHealth = z
  .object({
    host: z.string(),
    processId: z.number().int(),
    version: z.string(),
    trialsAtOnce: Count,
    startedAt: Instant,
    lastBeatAt: Instant,
    secondsSinceBeat: z.number().min(0),
    silent: z.boolean().meta({ description: 'It should have said something by now.' }),
  })
  .meta({ id: 'WorkerHealth' });

export const WorkHealth = z
  .object({
    kind: z.string(),
    waiting: Count,
    leased: Count,
    silent: Count.meta({ description: 'Leased, by a worker that fell silent.' }),
    longestWaitSeconds: z.number().min(0),
  })
  .meta({ id: 'WorkHealth' });

export const WidgetsHealth = WidgetsTestable.extend({
  browser: z
    .object({
      version: z.string(),
      sandboxed: z.boolean().meta({ description: 'As its processes show.' }),
      user: z.string().meta({ description: 'The user of the machine it runs as.' }),
      memoryBounded: z.boolean().meta({ description: 'Whether its memory can be measured here.' }),
    })
    .nullable()
    .meta({
      description: 'Found by starting it; null where there is none, or none can be started.',
    }),
  warnings: z.array(z.string()).meta({ description: 'What an operator should know of it.' }),
  foundBy: z.string().meta({ description: 'The process that was asked, with its host.' }),
}).meta({
  id: 'WidgetsHealth',
  description: 'Whether cases about widgets can be run, by a browser that was started to see it.',
});

export const Health = z
  .object({
    version: z.string(),
    problems: z.array(z.enum(healthProblems)),
    database: z.object({
      version: z.string(),
      sizeBytes: Count.nullable().meta({ description: 'null where PostgreSQL does not tell.' }),
    }),
    openRuns: z.object({ launched: Count, reported: Count }),
    work: z.array(WorkHealth),
    workers: z.array(WorkerHealth),
    disk: z
      .object({
        freeBytes: Count,
        totalBytes: Count,
        holdsDatabase: z.boolean().meta({
          description: 'Whether PostgreSQL keeps its data there; one of your own may be elsewhere.',
        }),
        refusesWrites: z.boolean().meta({
          description: 'Whether nothing is written now, for the disk of the database is full.',
        }),
      })
      .nullable()
      .meta({ description: 'Of the data directory of the process that answers.' }),
    widgets: WidgetsHealth,
  })
  .meta({ id: 'Health' });
export type Health = z.infer<typeof Health>;
