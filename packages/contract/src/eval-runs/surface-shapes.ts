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
      description: 'A quarter of the UTF-8 bytes, rounded up: for models with another tokenizer.',
    }),
  })
  .meta({ id: 'TokenCount' });

export const TokensOfSurface = z
  .object({
    contextWindow: Count,
    share: z.number().min(0).meta({
      description: 'The o200k_base total as a share of contextWindow, from 0.',
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
      'What the tools take from the context of a model in every request: name, description, and input schema as JSON. Every total is a sum of these.',
  });

const LintFinding = z
  .object({
    rule: z.enum(lintRules),
    severity: z.enum(lintSeverities).meta({
      description:
        'error: a model can hardly choose or call the tool. warn: it is likely to go wrong at times. info: good to have.',
    }),
    serverName: z.string().nullable(),
    toolName: z.string().optional().meta({
      description: 'Absent in a finding about the server as a whole.',
    }),
    toolNames: z.array(z.string()).optional().meta({
      description: 'The tools that a finding about the server concerns.',
    }),
    otherToolName: z.string().optional().meta({ description: 'The other tool of the finding.' }),
    path: z.string().meta({ description: 'A JSON pointer into the tool.' }),
    message: z.string(),
    reason: z.string().meta({ description: 'Why it matters.' }),
    trials: z.array(Id).max(20).meta({
      description:
        'The first failing trials that called the tool, missed it, or took one for the other.',
    }),
    overlay: SurfaceOverlay.optional().meta({
      description: 'Where one follows from what is there: what to show a model instead.',
    }),
  })
  .meta({ id: 'LintFinding' });

export const LintReport = z
  .object({
    runId: Id.nullable().meta({
      description: 'The run that the trials are of. null: no run of the server is known.',
    }),
    total: Count.meta({ description: 'Of all findings.' }),
    findings: z.array(LintFinding).meta({
      description: 'The first 500: those with most failing trials first, then the graver ones.',
    }),
    tokens: TokensOfSurface,
  })
  .meta({ id: 'LintReport' });

const place = {
  serverName: z.string().nullable(),
  trials: z.array(Id).max(20).meta({
    description: 'The first failing trials of the later run that have to do with it.',
  }),
  failingTrials: Count.meta({ description: 'How many there are.' }),
};

const MovedTool = z.object({ toolName: z.string(), ...place }).meta({ id: 'MovedTool' });

const Cut = z.unknown().meta({
  description:
    'null where there is nothing. What is longer than 2,000 characters is cut, and a text.',
});

export const EvalRunSurface = z
  .object({
    baseRunId: Id,
    baseHash: z.string().nullable().meta({
      description: 'Of the tools that most trials saw; null where no list was kept.',
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
            path: z.string().optional().meta({ description: 'A JSON pointer into that part.' }),
            before: Cut,
            after: Cut,
            effect: z.enum(surfaceEffects).meta({
              description:
                'What the change does to the values that are allowed. breaking: what was right and what is right differ both ways. words: nothing.',
            }),
            ...place,
          })
          .meta({ id: 'ChangedToolPart' }),
      )
      .meta({ description: 'The first 200, as of every list.' }),
    totals: z
      .object({
        added: Count,
        removed: Count,
        renamed: Count,
        changed: Count,
      })
      .meta({ description: 'Of all, also where a list is cut.' }),
  })
  .meta({
    id: 'EvalRunSurface',
    description:
      'Candidates for the cause of what came out otherwise: by the failing trials that touch them, then by what they do.',
  });

export const EvalRunSurfaceReport = EvalRunSurface.extend({
  tokens: TokensOfSurface.meta({ description: 'Of the tools of the later run.' }),
}).meta({ id: 'EvalRunSurfaceReport' });
