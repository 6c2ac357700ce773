import { AllowWrites } from '@proofmark/domain';
import * as z from 'zod';
import { Id } from '../fields.ts';
import { PersonaName, PersonaNotes, PersonaRole } from './persona-shapes.ts';

const grounding = {
  environmentId: Id.optional(),
  serverAttachmentId: Id.optional(),
  journeyCount: z.int().min(1).max(5).default(3),
  description: z.string().max(2000, 'A description has at most 2,000 characters.').optional(),
};

function hasOneGrounding(body: {
  readonly environmentId?: string | undefined;
  readonly serverAttachmentId?: string | undefined;
}): boolean {
  return (body.environmentId === undefined) !== (body.serverAttachmentId === undefined);
}

const oneGrounding = {
  error: 'Send exactly one of environmentId and serverAttachmentId.',
  path: ['environmentId'],
};

export const PersonaGenerateRequest = z
  .strictObject({
    ...grounding,
    personaCount: z.int().min(1).max(12).optional().meta({
      description: 'If omitted, one persona is drafted and returned in persona and journeys.',
    }),
    existingPersonas: z
      .array(z.strictObject({ name: PersonaName, role: PersonaRole }))
      .max(30)
      .optional(),
  })
  .refine(hasOneGrounding, oneGrounding)
  .meta({ id: 'PersonaGenerateRequest' });

export const JourneyGenerateRequest = z
  .strictObject({
    ...grounding,
    persona: z.strictObject({
      name: PersonaName,
      role: PersonaRole,
      notes: PersonaNotes.optional(),
    }),
  })
  .refine(hasOneGrounding, oneGrounding)
  .meta({ id: 'JourneyGenerateRequest' });

const PersonaDraft = z
  .object({ name: z.string(), role: z.string(), notes: z.string().optional() })
  .meta({ id: 'PersonaDraft' });

const JourneyDraft = z
  .object({
    goal: z.string(),
    name: z.string().optional(),
    suggestedChecks: z
      .array(z.object({ type: z.literal('toolCalledAtLeastOnce'), toolName: z.string() }))
      .optional(),
    allowWrites: AllowWrites.optional().meta({
      description:
        'An addition of Proofmark beyond the specification: the value to send with the journey, so that it calls no tool held for writing until one is allowed by name.',
    }),
  })
  .meta({ id: 'JourneyDraft' });

export const GenerationDrafts = z
  .object({
    persona: PersonaDraft.optional(),
    journeys: z.array(JourneyDraft).optional(),
    personas: z
      .array(z.object({ persona: PersonaDraft, journeys: z.array(JourneyDraft) }))
      .optional(),
    generationModel: z.string().meta({
      description:
        'An addition of Proofmark beyond the specification: the model that drafted them.',
    }),
  })
  .meta({ id: 'GenerationDrafts', description: 'The drafts are not stored.' });
