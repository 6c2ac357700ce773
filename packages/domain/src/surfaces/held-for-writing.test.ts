import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isHeldForWriting, readingWords, whyHeldForWriting } from './held-for-writing.ts';

const held = (text: string) =>
  text.split(' ').filter((name) => !isHeldForWriting({ name, annotations: {} }));
const free = (text: string) => text.split(' ').filter((name) => isHeldForWriting({ name }));

test('a tool that may change something by its name is held', () => {
  expect(
    held(
      'cleanup cleanUp exec_in_pod kubectl_generic kubectl_apply kubectl_patch patch_resource drop_table reset send_mail ' +
        'create_comment API-post-page browser_click order_pizza post_status deletepage createIssue find_or_create ' +
        'search_and_replace read_write_file run_script execute_sql pods_delete rollout_restart reset_status book_table ' +
        'git_commit kubectl_scale bash merge_pull_request set_get node_management kubectl_reconnect port_forward new_page ' +
        'handle_dialog take_heapsnapshot interact puppeteer_select query_run list_clear find_and_merge get_or_open ' +
        'user_list_update todo_list_share deploy_get run_get_started check_out_book checkOut get_rid_of_file HTTPDelete ' +
        'v2delete bulkdelete sendmessage updatepage executequery ssh alter_table lpush flushdb kick_user stake claim_rewards ' +
        'runquery writefile setvalue putobject postmessage dropdb wipedb mkfs deactivateuser poweroff_vm halt_instance ' +
        'reimage_host reformat_disk git_cherry_pick redeem_coupon payout signup failover unbind_role unschedule_job ' +
        'unpause_dag disarm_alarm blacklist_user kubectl_expose check_off_item getset incr setex mset ltrim ' +
        'graphql mcp__github__delete_file s3.putObject issue_write HassTurnOn do_it list_push computer format_disk ' +
        `${'get_x_'.repeat(60)}delete_all`,
    ),
  ).toEqual([]);
});

test('a first word that reads frees a tool from later nouns', () => {
  expect(
    free(
      'list_open_tickets get_book get_commit get_record get_comment search_messages find_place list_merge_requests ' +
        'read_query describe_table listReleases list_deleted_files list_updates count_orders order_status pods_list ' +
        'weather_forecast opening_hours echo get_created_at API-get-block-children API-retrieve-a-comment kubectl_get ' +
        'slack_get_message_replies find_empty_folders list_trash find_duplicate_records query_runs puppeteer_screenshot ' +
        'directory_tree collection-indexes explain_resource firecrawl_map list_command_history get_updated_records ' +
        'hgetall list_github_actions sendgrid_stats check_status getHTTPStatus channels_list conversations_history getV2Book',
    ),
  ).toEqual([]);
});

test('annotations win over names, only readOnlyHint: true frees, and destructiveHint: true wins over it', () => {
  const why = (name: string, annotations: unknown) => whyHeldForWriting({ name, annotations });
  expect(why('delete_all', { readOnlyHint: true })).toBeUndefined();
  const both = { readOnlyHint: true, destructiveHint: true };
  expect(why('get_book', both)).toBe('annotated destructiveHint: true');
  expect(why('get_book', { destructiveHint: true })).toBe('annotated destructiveHint: true');
  expect(why('get_book', { readOnlyHint: false })).toBe('annotated readOnlyHint: false');
  expect(why('get_book', { readOnlyHint: 'true', title: 'Book' })).toBeUndefined();
  expect(why('cleanup', { readOnlyHint: 'true' })).toContain('cleanup');
  expect(why('cleanup', { destructiveHint: false })).toContain('its name says cleanup');
  expect(why('cleanup', null)).toContain('cleanup');
});

test('a parameter that is a program holds a tool', () => {
  const inputSchema = { type: 'object', properties: { sqlText: {}, limit: {} } };
  expect(whyHeldForWriting({ name: 'query', inputSchema })).toContain('sqlText');
  expect(isHeldForWriting({ name: 'query', inputSchema: { properties: { text: {} } } })).toBe(
    false,
  );
  expect(
    isHeldForWriting({ name: 'query', inputSchema, annotations: { readOnlyHint: true } }),
  ).toBe(false);
});

test('a parameter that chooses among changes holds a tool, one that chooses what is read does not', () => {
  const why = (name: string, action: object) =>
    whyHeldForWriting({ name, inputSchema: { properties: { action } } });
  expect(why('browser_tabs', { enum: ['list', 'new', 'close'] })).toContain('parameter action');
  expect(why('get_tabs', { enum: ['list', 'close'] })).toContain('parameter action');
  expect(why('tabs', { type: 'string' })).toContain('parameter action');
  expect(why('tabs', { enum: ['list', 'count'] })).toBeUndefined();
  expect(why('get_tabs', { type: 'string' })).toBeUndefined();
  const method = (schema: object) =>
    whyHeldForWriting({ name: 'fetch', inputSchema: { properties: { method: schema } } });
  expect(method({ type: 'string' })).toContain('parameter method');
  expect(method({ enum: ['GET', 'HEAD'] })).toBeUndefined();
  expect(method({ enum: ['GET', 'DELETE'] })).toContain('parameter method');
});

test('no name makes an annotation that admits a change harmless', () => {
  const name = fc.oneof(
    fc.string(),
    fc
      .tuple(fc.constantFrom(...readingWords), fc.string())
      .map(([word, rest]) => `${word}_${rest}`),
  );
  const admits = fc.constantFrom({ destructiveHint: true }, { readOnlyHint: false });
  fc.assert(
    fc.property(name, admits, (given, annotations) =>
      isHeldForWriting({ name: given, annotations }),
    ),
  );
});
