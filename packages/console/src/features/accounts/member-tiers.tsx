/** A member's tiers (rights in single projects). Each choice is saved immediately. */
import type { Member, Organization } from '@proofmark/contract';
import { type ProjectTier, projectTiers } from '@proofmark/domain';
import { ChoiceRows } from '../../kit/choice-rows.tsx';
import { useChange, useWholeList } from '../../kit/data/operations.ts';
import { notify } from '../../kit/notice.tsx';
import { roleWords } from '../../kit/project-words.ts';
import { QueryView } from '../../kit/query-view.tsx';

interface TierOfProject {
  readonly projectId: string;
  readonly tier: ProjectTier | null;
}

export function MemberTiers(props: { organization: Organization; member: Member }) {
  const { organization, member } = props;
  const ids = { organizationId: organization.id, accountId: member.accountId };
  const projects = useWholeList('listProjects', {});
  const setTier = useChange('setMemberTier', ({ projectId, tier }: TierOfProject) => ({
    ...ids,
    projectId,
    body: { tier },
  }));
  if (member.role !== 'member') {
    return (
      <section aria-labelledby="tiers">
        <h2 id="tiers">Projects</h2>
        <p className="hint">Owners and admins do everything in every project.</p>
      </section>
    );
  }
  const choose = (projectId: string, value: string) => {
    const tier = projectTiers.find((one) => one === value) ?? null;
    const onSuccess = () => notify('Saved.');
    setTier.mutate({ projectId, tier }, { onSuccess });
  };
  return (
    <section aria-labelledby="tiers">
      <h2 id="tiers">Projects</h2>
      <QueryView query={projects}>
        {(all) => (
          <ChoiceRows
            rows={all
              .filter((project) => project.organizationId === organization.id)
              .map(({ id, name, visibility }) => ({
                id,
                name,
                chosen: member.tiers.find(({ projectId }) => projectId === id)?.tier ?? '',
                options: optionsFor(visibility),
              }))}
            onChoose={choose}
          />
        )}
      </QueryView>
      <div role="alert">
        {setTier.error !== null && <p className="form-problem">{setTier.error.message}</p>}
      </div>
    </section>
  );
}

function optionsFor(visibility: 'public' | 'private'): (readonly [string, string])[] {
  const unset = visibility === 'public' ? 'like everyone' : 'no access';
  return [
    ['', unset],
    ...projectTiers.map((tier: ProjectTier) => [tier, roleWords[tier]] as const),
  ];
}
