import '../../../kit/styles/reference.css';
import '../../../kit/styles/server.css';
import '../doctor.css';
import '../server-lists.css';
import '../../../kit/styles/server-calls.css';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';
import { forForm, useOperation } from '../../../kit/data/operations.ts';
import type { ServerIds } from '../../../kit/data/server-lists.ts';
import { PageFrame } from '../../../kit/frame/page-frame.tsx';
import { ProjectCrumbs } from '../../../kit/frame/project-crumbs.tsx';
import { useProject } from '../../../kit/frame/use-project.ts';
import { QueryView } from '../../../kit/query-view.tsx';
import { Connection } from '../connection.tsx';
import { useDoctor } from '../data/server-calls.ts';
import { DoctorSection } from '../doctor-section.tsx';
import { isToExamine, wasExamined } from '../examine-next.ts';
import { LintSection } from '../lint-section.tsx';
import { PromptsSection } from '../prompts-section.tsx';
import { ResourcesSection } from '../resources-section.tsx';
import { Sections } from '../sections.tsx';
import { SettingsSection } from '../settings-section.tsx';
import { ToolsSection } from '../tools-section.tsx';

const route = '/signed-in/projects/$projectId/servers/$serverId';

export function ServerDetailPage() {
  const ids = useParams({ from: route });
  // What was found out about one server must not be shown as another's.
  return <OneServer key={ids.serverId} ids={ids} />;
}

function OneServer({ ids }: { ids: ServerIds }) {
  const { section = 'tools', item } = useSearch({ from: route });
  const navigate = useNavigate();
  const server = useOperation(
    'getProjectServer',
    { projectId: ids.projectId, serverId: ids.serverId },
    forForm,
  );
  const project = useProject(ids.projectId);
  // Held here, so that an examination goes on while another section is looked at.
  const doctor = useDoctor(ids);
  const { start } = doctor;
  const isKnown = doctor.data !== undefined || doctor.error !== null;
  const examineOnce = useEffectEvent(() => {
    if (isToExamine(ids.serverId)) start();
  });
  // For the page that opens after saving.
  useEffect(() => examineOnce(), []);
  useEffect(() => {
    if (isKnown) wasExamined(ids.serverId);
  }, [isKnown, ids.serverId]);
  const onSaved = () => {
    void navigate({
      to: '/projects/$projectId/servers/$serverId',
      params: ids,
      search: { section: 'doctor' },
    });
    start();
  };
  return (
    <PageFrame
      title={server.data?.name ?? 'Server'}
      crumbs={<ProjectCrumbs projectId={ids.projectId} />}
    >
      <QueryView query={server}>
        {(found) => (
          <>
            <Connection ids={ids} server={found} />
            <Sections ids={ids} current={section} />
            {section === 'settings' && (
              <QueryView query={project}>
                {({ role }) => <SettingsSection server={found} role={role} onSaved={onSaved} />}
              </QueryView>
            )}
            {section === 'doctor' && <DoctorSection doctor={doctor} ids={ids} />}
            {section === 'lint' && <LintSection ids={ids} />}
            {section === 'tools' && <ToolsSection ids={ids} item={item} />}
            {section === 'prompts' && <PromptsSection ids={ids} item={item} />}
            {section === 'resources' && <ResourcesSection ids={ids} item={item} />}
          </>
        )}
      </QueryView>
    </PageFrame>
  );
}
