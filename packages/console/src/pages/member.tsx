import '../styles/workbench.css';
import type { Member, Organization } from '@proofmark/contract';
import { mayManageRole } from '@proofmark/domain';
import { Link, useParams } from '@tanstack/react-router';
import { useMember } from '../data/members.ts';
import { useOrganizations } from '../data/organizations.ts';
import { organizationRoleWords } from '../organizations/role-words.ts';
import { InstantText } from '../parts/instant-text.tsx';
import { MemberAccount } from '../parts/organization-page/member-account.tsx';
import { MemberRole } from '../parts/organization-page/member-role.tsx';
import { sessionsWords } from '../parts/organization-page/member-table.tsx';
import { MemberTiers } from '../parts/organization-page/member-tiers.tsx';
import { RemoveMember } from '../parts/organization-page/remove-member.tsx';
import { PageFrame } from '../parts/page-frame.tsx';
import { QueryView } from '../parts/query-view.tsx';

export function MemberDetailPage() {
  const { organizationId, accountId } = useParams({
    from: '/signed-in/organizations/$organizationId/members/$accountId',
  });
  const { data: organizations } = useOrganizations();
  const organization = organizations?.find(({ id }) => id === organizationId);
  const member = useMember(organizationId, accountId);
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
      <div>
        <dt>Role</dt>
        <dd>{organizationRoleWords[member.role]}</dd>
      </div>
      <div>
        <dt>Member since</dt>
        <dd>
          <InstantText atMs={member.joinedAt} />
        </dd>
      </div>
      <div>
        <dt>Signed in</dt>
        <dd>{sessionsWords(member.openSessions)}</dd>
      </div>
      <div>
        <dt>API keys</dt>
        <dd>
          {member.activeKeys === 0 ? 'none that work here' : `${member.activeKeys} that work here`}
        </dd>
      </div>
      {member.disabledAt !== null && (
        <div>
          <dt>Disabled</dt>
          <dd>
            since <InstantText atMs={member.disabledAt} />
          </dd>
        </div>
      )}
    </dl>
  );
}
