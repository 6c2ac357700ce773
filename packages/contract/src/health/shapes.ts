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
    silent: z
      .boolean()
      .meta({ description: 'True if the worker has sent no sign of life for too long.' }),
  })
  .meta({ id: 'WorkerHealth' });

export const WorkHealth = z
  .object({
    kind: z.string(),
    waiting: Count,
    leased: Count,
    silent: Count.meta({ description: 'The number of leases whose worker is silent.' }),
    longestWaitSeconds: z.number().min(0),
  })
  .meta({ id: 'WorkHealth' });

export const WidgetsHealth = WidgetsTestable.extend({
  browser: z
    .object({
      version: z.string(),
      sandboxed: z.boolean().meta({ description: 'Determined from the processes of the browser.' }),
      user: z
        .string()
        .meta({ description: 'The user of the operating system that runs the browser.' }),
      memoryBounded: z
        .boolean()
        .meta({ description: 'Whether the memory of the browser can be measured here.' }),
    })
    .nullable()
    .meta({
      description:
        'Found out by starting the browser; null if there is none, or if it cannot be started.',
    }),
  warnings: z
    .array(z.string())
    .meta({ description: 'Warnings about the browser for the operator.' }),
  foundBy: z.string().meta({ description: 'The process that was examined, with its host.' }),
}).meta({
  id: 'WidgetsHealth',
  description: 'Whether cases with widgets can be run, found out by starting a browser.',
});

export const Health = z
  .object({
    version: z.string(),
    problems: z.array(z.enum(healthProblems)),
    database: z.object({
      version: z.string(),
      sizeBytes: Count.nullable().meta({ description: 'null if PostgreSQL does not report it.' }),
    }),
    openRuns: z.object({ launched: Count, reported: Count }),
    work: z.array(WorkHealth),
    workers: z.array(WorkerHealth),
    disk: z
      .object({
        freeBytes: Count,
        totalBytes: Count,
        holdsDatabase: z.boolean().meta({
          description:
            'Whether PostgreSQL stores its data on this disk; a PostgreSQL of your own may use another.',
        }),
        refusesWrites: z.boolean().meta({
          description: 'True if writes are rejected because the disk of the database is full.',
        }),
      })
      .nullable()
      .meta({ description: 'The disk of the data directory of the answering process.' }),
    widgets: WidgetsHealth,
  })
  .meta({ id: 'Health' });
export type Health = z.infer<typeof Health>;
