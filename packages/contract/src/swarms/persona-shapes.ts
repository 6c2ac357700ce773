import { personaSources } from '@proofmark/domain';
import * as z from 'zod';
import { atLeastOneField, Id, Instant, oneLine, pageOf } from '../fields.ts';

export const PersonaName = oneLine(120, 'A name');
export const PersonaRole = oneLine(120, 'A role');
export const PersonaNotes = z.string().max(2000, 'Notes have at most 2,000 characters.');
const AvatarPart = z.int().min(0).max(5);

export const Persona = z
  .object({
    id: Id,
    projectId: Id,
    slug: z
      .string()
      .meta({ description: 'Derived from its first name; a new name does not change it.' }),
    name: z.string(),
    role: z.string(),
    notes: z.string().nullable(),
    source: z.enum(personaSources),
    seedKeywords: z.array(z.string()).optional(),
    avatar: z.object({ shape: z.int().nullable(), palette: z.int().nullable() }),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'Persona', description: 'A kind of user.' });
export type Persona = z.infer<typeof Persona>;

export const PersonaPage = pageOf(Persona, 'PersonaPage');

const writable = {
  name: PersonaName,
  role: PersonaRole,
  notes: PersonaNotes,
  avatarShape: AvatarPart,
  avatarPalette: AvatarPart,
};

export const PersonaCreateRequest = z
  .strictObject(writable)
  .partial()
  .required({ name: true, role: true })
  .meta({ id: 'PersonaCreateRequest' });

export const PersonaUpdateRequest = atLeastOneField(z.strictObject(writable).partial()).meta({
  id: 'PersonaUpdateRequest',
  description: 'Omitted fields keep their values; empty notes remove the notes.',
});

export const PersonaDeleted = z
  .object({ id: Id, projectId: Id, deleted: z.literal(true) })
  .meta({ id: 'PersonaDeleted' });
