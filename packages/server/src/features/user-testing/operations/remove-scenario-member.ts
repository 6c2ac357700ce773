import { notFound } from '@proofmark/domain';
import { type Action, refuse } from '../../../platform/operations/action.ts';
import { recordAudit } from '../../../platform/operations/record-audit.ts';
import { revokeGrantsOfMember } from '../store/scenario-grants.ts';
import { findScenarioMember, markMemberRemoved } from '../store/scenario-members.ts';
import { storeScenario } from '../store/scenarios.ts';
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
