import { notFound } from '@proofmark/domain';
import { revokeGrantsOfMember } from '../../storage/user-testing/scenario-grants.ts';
import {
  findScenarioMember,
  markMemberRemoved,
} from '../../storage/user-testing/scenario-members.ts';
import { storeScenario } from '../../storage/user-testing/scenarios.ts';
import { type Action, refuse } from '../action.ts';
import { recordAudit } from '../record-audit.ts';
import { findScenario } from './find-scenario.ts';

export const removeScenarioMember: Action<'removeScenarioMember'> = (context, { params }) =>
  context.tenant(async (sql) => {
    const { id: projectId } = context.project;
    const { memberIdOrEmail: named } = params;
    const scenario = await findScenario(sql, projectId, params.scenarioId, 'forUpdate');
    const member = await findScenarioMember(sql, scenario.id, named);
    if (member === undefined) return refuse(notFound);
    await markMemberRemoved(sql, member.id);
    await revokeGrantsOfMember(sql, member);
    await storeScenario(sql, { ...scenario, accessVersion: scenario.accessVersion + 1 });
    await recordAudit(sql, context, {
      action: 'scenario.memberRemoved',
      subjectId: scenario.id,
      details: { memberId: member.id },
    });
    return {
      scenarioId: scenario.id,
      projectId,
      removed: named === member.id ? member.id : member.email,
      ...(scenario.mode === 'anyone_with_link' && { stillReachable: true as const }),
    };
  });
