import {
  editSettings,
  inlineCasesAt,
  invalid,
  modelIsMissing,
  type SuiteDefinition,
} from '@proofmark/domain';
import { type Action, refuse } from '../../../../platform/operations/action.ts';
import type { EvalsParts } from '../../evals-context.ts';
import { authorSuite } from './author-suite.ts';
import { refuseAssertions, refusePlanOfSuite } from './refuse-assertions.ts';
import { refuseModelsOfContract } from './refuse-models-of-contract.ts';
import { refuseRows } from './refuse-rows.ts';

export const createEvalSuite: Action<'createEvalSuite', EvalsParts> = async (context, { body }) => {
  const { name, description, serverIds, tags, mode, model, provider, tests } = body;
  if (model === undefined && mode !== 'serverContract') {
    refuse(invalid('body.model', modelIsMissing, { reason: 'MODEL_REQUIRED' }));
  }
  const minimumAccuracy = body.passCriteria?.minimumPassRate;
  const stated = minimumAccuracy === undefined ? {} : { minimumAccuracy };
  const cases = inlineCasesAt('body.tests', tests, { model: model ?? '' });
  refuseAssertions(cases, body.settings?.checks);
  const definition: SuiteDefinition = {
    ...(mode === 'serverContract' && { mode }),
    ...(model !== undefined && { model }),
    ...(provider !== undefined && { provider }),
    settings: editSettings(stated, body.settings ?? {}),
  };
  refusePlanOfSuite(definition.settings);
  refuseModelsOfContract(definition, cases);
  await refuseRows(cases, 'body.tests');
  return context.tenant((sql) =>
    authorSuite(sql, context, {
      name,
      description,
      serverIds,
      tags,
      definition,
      cases,
    }),
  );
};
