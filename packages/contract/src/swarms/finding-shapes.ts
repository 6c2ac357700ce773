import { failureCategories, findingStatuses, stages } from '@proofmark/domain';
import * as z from 'zod';
import { Id, Instant, pageOf } from '../fields.ts';
import { addition } from './readout-shapes.ts';

const Count = z.int().nonnegative();

export const SwarmFinding = z
  .object({
    id: Id.meta({ description: 'The same problem of a project has the same id in every wave.' }),
    fingerprint: z.string(),
    dimension: z.string().meta({ description: 'The detector of the finding.' }),
    subject: z.object({ kind: z.string(), id: z.string(), label: z.string() }),
    status: z.enum(findingStatuses),
    occurrenceCount: Count.meta({ description: 'Waves, never sessions.' }),
    lastSeenWaveId: z.string(),
    firstSeenAt: Instant,
    lastSeenAt: Instant,
    resolvedAt: Instant.nullable(),
    dismissedAt: Instant.nullable(),
    updatedAt: Instant,
    title: z
      .string()
      .meta({ description: `${addition}a short sentence about the problem and its subject.` }),
    journeyId: Id.nullable().meta({
      description: `${addition}the journey of the finding; null if it concerns several.`,
    }),
    firstFailedStage: z.enum(stages).optional(),
    failureCategory: z.enum(failureCategories).optional(),
    nextAction: z.string().meta({
      description: `${addition}the next step, derived from the failure category alone.`,
    }),
    advice: z
      .string()
      .optional()
      .meta({
        description: `${addition}more specific advice, if the sessions show more than the category.`,
      }),
    evidence: z
      .object({
        waveId: z.string(),
        affected: Count,
        sliceTotal: Count,
        exemplars: z.array(
          z.object({
            runId: Id,
            sessionId: Id,
            tracePath: z.string(),
            promptIndex: Count.optional(),
            reason: z.string().optional(),
          }),
        ),
        contrastSessionIds: z.array(Id),
        targets: z.array(z.object({ targetId: z.string(), affected: Count, sliceTotal: Count })),
        patterns: z.array(z.object({ pattern: z.string(), affected: Count })),
      })
      .meta({ description: `${addition}the evidence of the last wave in which it occurred.` }),
  })
  .meta({ id: 'SwarmFinding' });
export type SwarmFinding = z.infer<typeof SwarmFinding>;

export const SwarmFindingPage = pageOf(SwarmFinding, 'SwarmFindingPage');

export const SwarmFindingsQuery = z.strictObject({
  status: z.enum(findingStatuses).optional(),
  dismissed: z.enum(['true', 'false']).optional(),
});

export const FindingDismissed = z
  .object({ id: Id, projectId: Id, dismissed: z.boolean() })
  .meta({ id: 'FindingDismissed' });
