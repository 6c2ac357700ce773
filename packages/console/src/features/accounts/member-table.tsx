import type { Member } from '@proofmark/contract';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { FilterBox, shortListLength } from '../../kit/filter-box.tsx';
import { InstantText } from '../../kit/instant-text.tsx';
import { organizationRoleWords } from './role-words.ts';

export function MemberTable(props: { organizationId: string; members: readonly Member[] }) {
  const [filter, setFilter] = useState('');
  const wanted = filter.trim().toLowerCase();
  const shown = props.members.filter(({ email, name }) =>
    `${email} ${name}`.toLowerCase().includes(wanted),
  );
  return (
    <>
      {props.members.length > shortListLength && (
        <FilterBox
          label="Filter members"
          value={filter}
          found={`${shown.length} of ${props.members.length} members`}
          onChange={setFilter}
        />
      )}
      <table>
        <thead>
          <tr>
            <th scope="col">Member</th>
            <th scope="col">Role</th>
            <th scope="col">Signed in</th>
            <th scope="col">API keys</th>
            <th scope="col">Member since</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((member) => (
            <MemberRow key={member.accountId} {...props} member={member} />
          ))}
        </tbody>
      </table>
    </>
  );
}

function MemberRow({ organizationId, member }: { organizationId: string; member: Member }) {
  const { accountId, email, name, openSessions, activeKeys, disabledAt } = member;
  return (
    <tr className={disabledAt === null ? undefined : 'over'}>
      <th scope="row">
        <Link
          to="/organizations/$organizationId/members/$accountId"
          params={{ organizationId, accountId }}
        >
          {email}
        </Link>
        {member.isMe && <span className="tag">you</span>}
        {disabledAt !== null && <span className="tag">disabled</span>}
        {name !== '' && name !== email.split('@')[0] && <p className="hint">{name}</p>}
      </th>
      <td data-label="Role">{organizationRoleWords[member.role]}</td>
      <td data-label="Signed in">{sessionsWords(openSessions)}</td>
      <td data-label="API keys">{activeKeys === 0 ? 'none' : activeKeys}</td>
      <td data-label="Member since">
        <InstantText atMs={member.joinedAt} />
      </td>
    </tr>
  );
}

export function sessionsWords(openSessions: number): string {
  if (openSessions === 0) return 'nowhere';
  return openSessions === 1 ? 'in 1 session' : `in ${openSessions} sessions`;
}
