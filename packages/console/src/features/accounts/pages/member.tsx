import '../../../kit/styles/workbench.css';
import type { Member, Organization } from '@proofmark/contract';
import { isRise, mayManageRole, type OrganizationRole } from '@proofmark/domain';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { Confirm } from '../../../kit/confirm.tsx';
import { fieldProblems, formProblem } from '../../../kit/data/field-problems.ts';
import { useChange, useWholeList } from '../../../kit/data/operations.ts';
import { Fact } from '../../../kit/fact-list.tsx';
import { Form } from '../../../kit/form.tsx';
import { PageFrame } from '../../../kit/frame/page-frame.tsx';
import { InstantText } from '../../../kit/instant-text.tsx';
import { notify } from '../../../kit/notice.tsx';
import { QueryView } from '../../../kit/query-view.tsx';
import { MemberAccount } from '../member-account.tsx';
import { sessionsWords } from '../member-table.tsx';
import { MemberTiers } from '../member-tiers.tsx';
import { RoleField } from '../role-field.tsx';
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
      above={<SettingsSections organizationId={organizationId} />}
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
        <div className="two-columns">
          <MemberRole key={member.role} {...both} />
          <MemberTiers {...both} />
          <MemberAccount {...both} />
          <RemoveMember {...both} />
        </div>
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

const whatARiseEnds =
  'Whoever never proved their address by single sign-on loses password, sessions and keys with a higher role. Reset their password afterwards, and send them the link.';

function MemberRole(props: { organization: Organization; member: Member }) {
  const { organization, member } = props;
  const ids = { organizationId: organization.id, accountId: member.accountId };
  const update = useChange('updateMember', ids);
  const [role, setRole] = useState<OrganizationRole>(member.role);
  const submit = () => {
    if (update.isPending) return;
    const onSuccess = () => notify(`${member.email} is now ${organizationRoleWords[role]}.`);
    update.mutate({ role }, { onSuccess });
  };
  return (
    <section aria-labelledby="role">
      <h2 id="role">Role</h2>
      <Form
        label="Role"
        problem={formProblem(update.error, ['role'])}
        attempt={update.error}
        onSubmit={submit}
        buttons={
          <button
            type="submit"
            className="primary"
            disabled={role === member.role || update.isPending}
          >
            Save role
          </button>
        }
      >
        <RoleField
          label={`In ${organization.name}`}
          organization={organization}
          role={role}
          onChange={setRole}
          problem={fieldProblems(update.error)['role']}
        />
        {isRise(member.role, role) && <p className="hint">{whatARiseEnds}</p>}
      </Form>
    </section>
  );
}

function RemoveMember(props: { organization: Organization; member: Member }) {
  const { organization, member } = props;
  const navigate = useNavigate();
  const [asking, setAsking] = useState(false);
  const ids = { organizationId: organization.id, accountId: member.accountId };
  const remove = useChange('removeMember', ids, {
    leave: () => {
      notify(`${member.email} removed.`);
      const params = { organizationId: organization.id };
      return navigate({ to: '/organizations/$organizationId/members', params });
    },
  });
  return (
    <section aria-labelledby="remove">
      <h2 id="remove">Remove</h2>
      <p className="hint">
        Takes {member.isMe ? 'you' : 'them'} out of {organization.name}. What was made here stays.
      </p>
      <div className="actions">
        <button type="button" className="danger" onClick={() => setAsking(true)}>
          Remove member
        </button>
      </div>
      {asking && (
        <Confirm
          title={`Remove ${member.email}?`}
          action="Remove member"
          busy={remove.isPending}
          error={remove.error}
          onClose={() => setAsking(false)}
          onConfirm={() => remove.mutate()}
        >
          <p>
            Their sessions end at once, their keys of {organization.name} are revoked for good, and
            what projects granted them is gone.
          </p>
        </Confirm>
      )}
    </section>
  );
}

interface MemberIds {
  readonly organizationId: string;
  readonly accountId: string;
}

/** `data` is null if the organization has no such member. */
function useMember({ organizationId, accountId }: MemberIds) {
  const members = useWholeList('listMembers', { organizationId, limit: 200 });
  const found = members.data?.find((member) => member.accountId === accountId);
  return { ...members, data: members.data === undefined ? undefined : (found ?? null) };
}
