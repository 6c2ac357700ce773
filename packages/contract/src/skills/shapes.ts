import * as z from 'zod';
import { Description, deletedShape, Id, Instant, Name, pageOf } from '../fields.ts';

const SkillVersion = z
  .object({
    id: Id,
    number: z.number().int(),
    contentHash: z.string(),
    createdAt: Instant,
  })
  .meta({
    id: 'SkillVersion',
    description: 'One version of the text of a skill. It never changes.',
  });

const summary = {
  id: Id,
  projectId: Id,
  name: z.string(),
  description: z.string().optional(),
  latest: SkillVersion,
  createdAt: Instant,
  updatedAt: Instant,
};

export const Skill = z.object(summary).meta({ id: 'Skill', description: 'Named instructions.' });
export type Skill = z.infer<typeof Skill>;
export const SkillPage = pageOf(Skill, 'SkillPage');
export const SkillDeleted = deletedShape('SkillDeleted');
export const SkillDetail = z
  .object({ ...summary, content: z.string(), versions: z.array(SkillVersion) })
  .meta({ id: 'SkillDetail' });
export type SkillDetail = z.infer<typeof SkillDetail>;

const Content = z.string().min(1).max(200_000);

export const SkillCreateRequest = z
  .strictObject({ name: Name, description: Description.optional(), content: Content })
  .meta({ id: 'SkillCreateRequest' });

export const SkillVersionCreateRequest = z
  .strictObject({ content: Content })
  .meta({ id: 'SkillVersionCreateRequest' });
