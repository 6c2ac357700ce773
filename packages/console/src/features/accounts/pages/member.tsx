import '../../../kit/styles/workbench.css';
import type { Member, Organization } from '@proofmark/contract';
import { mayManageRole } from '@proofmark/domain';
import { Link, useParams } from '@tanstack/react-router';
import { useWholeList } from '../../../kit/data/operations.ts';
import { Fact } from '../../../kit/fact-list.tsx';
import { PageFrame } from '../../../kit/frame/page-frame.tsx';
import { InstantText } from '../../../kit/instant-text.tsx';
import { QueryView } from '../../../kit/query-view.tsx';
import { useMember } from '../data/members.ts';
import { MemberAccount } from '../member-account.tsx';
import { MemberRole } from '../member-role.tsx';
import { sessionsWords } from '../member-table.tsx';
import { MemberTiers } from '../member-tiers.tsx';
import { RemoveMember } from '../remove-member.tsx';
import { organizationRoleWords } from '../role-words.ts';
import { SettingsSections } from '../settings-sections.tsx';

export function MemberDetailPage() {
  const { organizationId, accountId } = useParams({
    from: '/signed-in/organizations/$organizationId/members/$accountId',
  });
  const { data: organizations } = useWholeList('listOrganizations', {});
  const organization = organizations?.find(({ id }) => id === organizationId);
  const member = useMember({ organizationId, accountId });
  return (
    <PageFrame
      title={member.data?.email ?? 'Member'}
      width="narrow"
      crumbs={
        <>
          <Link to="/organizations">Organizations</Link>
          {organization !== undefined && ` / ${organization.name} / `}
          {organization !== undefined && (
            <Link to="/organizations/$organizationId/members" params={{ organizationId }}>
              Members
            </Link>
          )}
        </>
      }
    >
      <SettingsSections organizationId={organizationId} />
      <QueryView query={member}>
        {(found) =>
          organization === undefined ? null : <Details organization={organization} member={found} />
        }
      </QueryView>
    </PageFrame>
  );
}

function Details({ organization, member }: { organization: Organization; member: Member }) {
  const mayManage = mayManageRole(organization.myRole, member.role);
  const both = { organization, member };
  return (
    <>
      <Facts member={member} />
      {mayManage ? (
        <>
          <MemberRole key={member.role} {...both} />
          <MemberTiers {...both} />
          <MemberAccount {...both} />
          <RemoveMember {...both} />
        </>
      ) : (
        <p className="hint">
          Your role here is {organizationRoleWords[organization.myRole]}; only an owner can change
          an owner.
        </p>
      )}
    </>
  );
}

function Facts({ member }: { member: Member }) {
  return (
    <dl className="facts">
      <Fact name="Role">{organizationRoleWords[member.role]}</Fact>
      <Fact name="Member since">
        <InstantText atMs={member.joinedAt} />
      </Fact>
      <Fact name="Signed in">{sessionsWords(member.openSessions)}</Fact>
      <Fact name="API keys">
        {member.activeKeys === 0 ? 'none that work here' : `${member.activeKeys} that work here`}
      </Fact>
      {member.disabledAt !== null && (
        <Fact name="Disabled">
          since <InstantText atMs={member.disabledAt} />
        </Fact>
      )}
    </dl>
  );
}
