import {
  lintRules,
  lintSeverities,
  SurfaceOverlay,
  surfaceEffects,
  surfaceParts,
} from '@proofmark/domain';
import * as z from 'zod';
import { Id } from '../fields.ts';

const Count = z.number().int().min(0);

const TokenCount = z
  .object({
    o200k_base: Count,
    approx: Count.meta({
      description:
        'A quarter of the UTF-8 bytes, rounded up; an approximation for models with another tokenizer.',
    }),
  })
  .meta({ id: 'TokenCount' });

export const TokensOfSurface = z
  .object({
    contextWindow: Count,
    share: z.number().min(0).meta({
      description: 'The o200k_base total divided by contextWindow; 0 or more.',
    }),
    total: TokenCount,
    servers: z.array(
      z.object({
        serverName: z.string().nullable(),
        total: TokenCount,
        tools: z.array(
          z.object({
            toolName: z.string(),
            name: TokenCount,
            description: TokenCount,
            schema: TokenCount,
            total: TokenCount,
          }),
        ),
      }),
    ),
  })
  .meta({
    id: 'TokensOfSurface',
    description:
      'The tokens that the tools take of the context of a model in every request: name, description, and input schema as JSON. Every total is the sum of these.',
  });

const LintFinding = z
  .object({
    rule: z.enum(lintRules),
    severity: z.enum(lintSeverities).meta({
      description:
        'error: a model can hardly choose or call the tool. warn: a model is likely to make mistakes with it. info: a possible improvement.',
    }),
    serverName: z.string().nullable(),
    toolName: z.string().optional().meta({
      description: 'Absent if the finding concerns the server as a whole.',
    }),
    toolNames: z.array(z.string()).optional().meta({
      description: 'The tools that a finding about the server concerns.',
    }),
    otherToolName: z
      .string()
      .optional()
      .meta({ description: 'The second tool that the finding concerns.' }),
    path: z.string().meta({ description: 'A JSON pointer into the definition of the tool.' }),
    message: z.string(),
    reason: z.string().meta({ description: 'Why it matters.' }),
    trials: z.array(Id).max(20).meta({
      description:
        'The first failing trials that called the tool, missed it, or mistook another for it.',
    }),
    overlay: SurfaceOverlay.optional().meta({
      description: 'A suggested overlay, if one can be derived: what to show models instead.',
    }),
  })
  .meta({ id: 'LintFinding' });

export const LintReport = z
  .object({
    runId: Id.nullable().meta({
      description: 'The run of the trials. null if no run of the server is known.',
    }),
    total: Count.meta({ description: 'The number of all findings.' }),
    findings: z.array(LintFinding).meta({
      description:
        'The first 500 findings: those with the most failing trials first, then the more severe ones.',
    }),
    tokens: TokensOfSurface,
  })
  .meta({ id: 'LintReport' });

const place = {
  serverName: z.string().nullable(),
  trials: z.array(Id).max(20).meta({
    description: 'The first failing trials of the later run that involve the change.',
  }),
  failingTrials: Count.meta({ description: 'The number of these trials.' }),
};

const MovedTool = z.object({ toolName: z.string(), ...place }).meta({ id: 'MovedTool' });

const Cut = z.unknown().meta({
  description:
    'null if the value is absent. A value of more than 2,000 characters is cut and returned as text.',
});

export const EvalRunSurface = z
  .object({
    baseRunId: Id,
    baseHash: z.string().nullable().meta({
      description: 'The hash of the tools that most trials had; null if no list was stored.',
    }),
    hash: z.string().nullable(),
    added: z.array(MovedTool),
    removed: z.array(MovedTool),
    renamed: z.array(
      z
        .object({
          from: z.string(),
          to: z.string(),
          likeness: z.number().min(0).max(1),
          ...place,
        })
        .meta({ id: 'RenamedTool' }),
    ),
    changed: z
      .array(
        z
          .object({
            toolName: z.string(),
            what: z.enum(surfaceParts),
            path: z
              .string()
              .optional()
              .meta({ description: 'A JSON pointer into the changed part.' }),
            before: Cut,
            after: Cut,
            effect: z.enum(surfaceEffects).meta({
              description:
                'The effect of the change on the allowed values. breaking: each version allows values that the other rejects. words: none.',
            }),
            ...place,
          })
          .meta({ id: 'ChangedToolPart' }),
      )
      .meta({ description: 'The first 200; all lists have this limit.' }),
    totals: z
      .object({
        added: Count,
        removed: Count,
        renamed: Count,
        changed: Count,
      })
      .meta({ description: 'Totals over everything, even if a list is cut.' }),
  })
  .meta({
    id: 'EvalRunSurface',
    description:
      'Candidates for the cause of changed results, ordered by the number of failing trials that involve them, then by their effect.',
  });

export const EvalRunSurfaceReport = EvalRunSurface.extend({
  tokens: TokensOfSurface.meta({ description: 'The tokens of the tools of the later run.' }),
}).meta({ id: 'EvalRunSurfaceReport' });
