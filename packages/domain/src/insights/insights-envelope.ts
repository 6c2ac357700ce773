import * as z from 'zod';
import { confidences, severities } from './candidate.ts';
import { evidenceKinds, findingSurfaces, insightUnits } from './finding-evidence.ts';
import { actionTargets, findingAttributions, findingCategories } from './finding-page.ts';
import { insightScopeKinds } from './scope-states.ts';

const Count = z.int().nonnegative();
const Moment = z.int();
const addition = 'An addition of Proofmark beyond the specification: ';

export const InsightScope = z
  .object({
    kind: z.enum(insightScopeKinds),
    id: z.string(),
    runId: z.string().optional(),
    scenarioId: z.string().optional(),
    windowStartAt: Moment.optional(),
    windowEndAt: Moment.optional(),
  })
  .meta({ id: 'InsightScope' });
export type InsightScope = z.infer<typeof InsightScope>;

export const ActionableFindingEvidence = z
  .object({
    sessionId: z.string().optional(),
    runId: z
      .string()
      .optional()
      .meta({ description: `${addition}the journey run of the session.` }),
    iterationId: z.string().optional(),
    kind: z.enum(evidenceKinds),
    excerpt: z.string(),
    toolName: z.string().optional(),
    errorCode: z.string().optional(),
  })
  .meta({ id: 'ActionableFindingEvidence' });

export const ActionableFinding = z
  .object({
    id: z.string().meta({ description: 'The same problem has the same id in every run.' }),
    signalFingerprint: z.string(),
    title: z.string(),
    category: z.enum(findingCategories),
    attribution: z.enum(findingAttributions),
    actionTarget: z.enum(actionTargets),
    actionability: z.enum(['informational', 'investigate', 'ready']),
    severity: z.enum(severities),
    confidence: z.enum(confidences).meta({ description: 'The confidence from the counts alone.' }),
    observed: z.string().meta({ description: 'A sentence of counts, never written by a model.' }),
    rootCause: z.string().optional(),
    recommendation: z.string(),
    acceptanceCriteria: z.array(z.string()),
    narratedBy: z.string().meta({
      description: `${addition}the author of rootCause, recommendation and acceptanceCriteria.`,
    }),
    narratorConfidence: z.enum(confidences).meta({
      description: `${addition}the confidence of that author in the cause.`,
    }),
    affected: z.object({ count: Count, total: Count, unit: z.enum(insightUnits) }),
    patternSlug: z.string().optional(),
    target: z
      .object({
        serverId: z.string(),
        toolName: z.string().optional(),
        surface: z.enum(findingSurfaces),
        fieldPath: z.string().optional(),
        snapshotHash: z.string(),
        currentDefinition: z
          .object({
            description: z.string().optional(),
            inputSchemaJson: z.string().optional(),
            outputSchemaJson: z.string().optional(),
            truncated: z.boolean(),
          })
          .optional(),
      })
      .optional()
      .meta({ description: 'Present only if the target is in the pinned tool surface.' }),
    evidence: z.array(ActionableFindingEvidence),
  })
  .meta({ id: 'ActionableFinding', description: 'A counted problem with its explanation.' });
export type ActionableFinding = z.infer<typeof ActionableFinding>;

export const InsightsEnvelope = z
  .object({
    schemaVersion: z.literal(1),
    scope: InsightScope,
    status: z.enum(['not_available', 'not_requested', 'pending', 'completed', 'failed']),
    reasonCode: z.string().nullable(),
    retryable: z.boolean(),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    generatedAt: Moment.nullable(),
    updatedAt: Moment.nullable(),
    summary: z.string().nullable(),
    modelUsed: z
      .string()
      .nullable()
      .meta({ description: `${addition}the author of the summary.` }),
    coverage: z.object({
      unit: z.enum(insightUnits),
      analyzed: Count,
      total: Count,
      gradedCount: Count.optional(),
      feedbackCount: Count.optional(),
      truncated: z.boolean(),
      lowConfidence: z.boolean(),
    }),
    findings: z.array(ActionableFinding),
    candidateCount: Count.optional().meta({
      description: `${addition}the number of candidates before anybody requested explanations.`,
    }),
    runHealth: z
      .object({
        targets: z.array(
          z.object({
            subjectKind: z.enum(['environment', 'host']),
            subjectId: z.string(),
            subjectLabel: z.string(),
            attempted: Count,
            succeeded: Count,
            failed: Count,
            rateLimited: Count,
          }),
        ),
      })
      .optional(),
    truncation: z.object({
      truncated: z.boolean(),
      omittedFindings: Count,
      omittedEvidence: Count,
      contractTruncated: z.boolean(),
    }),
  })
  .meta({ id: 'InsightsEnvelope' });
export type InsightsEnvelope = z.infer<typeof InsightsEnvelope>;
