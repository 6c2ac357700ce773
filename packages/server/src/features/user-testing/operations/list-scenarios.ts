import type { ProjectScenario } from '@proofmark/contract';
import type { Action } from '../../../platform/operations/action.ts';
import { listIfFeatureOn } from '../../../platform/operations/list-if-feature-on.ts';
import { readScenarios } from '../store/scenarios.ts';
import { presentProjectScenario } from './present-project-scenario.ts';
import { readPlayed } from './read-played.ts';

export const listScenarios: Action<'listScenarios'> = (context, { page }) =>
  listIfFeatureOn(context, 'user-testing', () =>
    context.tenant(async (sql) => {
      const found = await readScenarios(sql, context.project.id, page);
      const items: ProjectScenario[] = [];
      for (const scenario of found.items) {
        const played = await readPlayed(sql, context.database, scenario);
        items.push(presentProjectScenario(context, scenario, played));
      }
      return { ...found, items };
    }),
  );
