/** What a journey says that could not be run: a pattern nobody can read, a model that is not offered. */
import { type JourneyEdit, personaModelRefusal } from '@proofmark/domain';
import type { Sql } from '../../storage/database/database.ts';
import { type ProjectContext, refuseIf } from '../action.ts';
import { refuseStatedPatterns } from '../eval-suites/refuse-patterns.ts';
import { modelsOf } from '../models/models-of.ts';

export async function refuseUnrunnable(
  sql: Sql,
  context: ProjectContext,
  { rubric, personaModel }: Pick<JourneyEdit, 'rubric' | 'personaModel'>,
): Promise<void> {
  refuseStatedPatterns(
    (rubric ?? []).flatMap(({ predicate }, index) =>
      'pattern' in predicate
        ? [{ path: `body.rubric[${index}].predicate.pattern`, pattern: predicate.pattern }]
        : [],
    ),
  );
  if (typeof personaModel !== 'string') return;
  const { models } = await modelsOf(sql, context, context.project.organizationId);
  refuseIf(personaModelRefusal(personaModel, models.offer));
}
