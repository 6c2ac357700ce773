import { projectCapabilities } from '@proofmark/domain';
import { readFeatures } from '../../storage/organizations.ts';
import type { Action } from '../action.ts';

export const getProjectCapabilities: Action<'getProjectCapabilities'> = async (context) => {
  const { project } = context;
  const features = await readFeatures(context.database, project.organizationId);
  const gated = features.swarms || features.userTesting;
  return {
    projectId: project.id,
    organizationId: project.organizationId,
    role: project.organizationRole,
    projectRole: project.tier,
    surface: context.surface,
    features: {
      sandboxes: { enabled: gated, mode: gated ? 'enforce' : 'off', enforced: gated },
      swarms: { enabled: features.swarms },
      userTesting: { enabled: features.userTesting },
    },
    plan: { name: 'self-hosted', limits: context.limits, features: {} },
    can: projectCapabilities({ tier: project.tier, ...features }),
  };
};
