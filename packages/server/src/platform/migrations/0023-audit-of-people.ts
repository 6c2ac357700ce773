/**
 * The audit log tells of people, of the operator and of the service itself, too. A line outlives also its organization,
 * so that nobody removes lines by removing what they belong to; and no line is deleted, by the owner of the tables no
 * more than by the service. What concerns an account is told to every organization it belongs to, and to the operator
 * alone where it belongs to none.
 */
export const auditOfPeople = /* sql */ `
  alter table audit_log
    drop constraint audit_log_organization_id_fkey,
    drop constraint audit_log_caller_kind_check,
    add constraint audit_log_caller_kind_check
      check (caller_kind in ('key', 'session', 'operator', 'service', 'visitor')),
    alter column organization_id drop not null;

  drop trigger keep_audit_log on audit_log;
  create trigger keep_audit_log before update or delete on audit_log
    for each row execute function keep_audit_log();

  drop policy tenant on audit_log;
  create policy tenant_reads on audit_log for select
    using (organization_id = any ((select visible_organizations())::text[]));
  create policy tenant_adds on audit_log for insert
    with check (organization_id is null or may_see(organization_id));

  create function audit_account(
    subject text, actor text, actor_email text, kind text, action text, details text
  ) returns void
    language sql security definer
    begin atomic
      insert into audit_log (organization_id, account_id, account_email, caller_kind, action, subject_id, details)
      select organization_id, actor, actor_email, kind, action, subject, details
      from memberships where account_id = subject
      union all
      select null, actor, actor_email, kind, action, subject, details
      where not exists (select from memberships where account_id = subject);
    end;
`;
