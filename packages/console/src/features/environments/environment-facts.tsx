/** An environment that cannot be changed now, and why. */

import type { ProjectEnvironment } from '@proofmark/contract';
import { FactList } from '../../kit/fact-list.tsx';
import type { Names } from './environment-words.ts';

export function EnvironmentFacts(props: {
  environment: ProjectEnvironment;
  names: Names;
  why: string;
}) {
  const { environment, names } = props;
  const { serverAttachmentId, skillSelection, pluginVersionIds = [] } = environment;
  const gone = 'no longer there';
  const skills = skillSelection?.skillIds.map((id) => names.skill(id) ?? gone) ?? [];
  const pins = pluginVersionIds.map((id) => names.pluginVersion(id) ?? gone);
  const group = serverAttachmentId === undefined ? undefined : names.group(serverAttachmentId);
  const facts = [
    ['Description', environment.description || 'none'],
    ['Client', names.client(environment.hostId) ?? gone],
    ['Servers', serverAttachmentId === undefined ? 'those of the client' : (group ?? gone)],
    ['Model', environment.modelId ?? 'that of the client'],
    ['Skills', skills.join(', ') || 'as the client has it'],
    ['Plugins', pins.join(', ') || 'none'],
    ['Revision', String(environment.revision)],
  ] as const;
  return (
    <>
      <p className="intro">{props.why}</p>
      <FactList facts={facts} />
    </>
  );
}
