/** Resources, and resource templates with a URI to fill in. Any URI can be read. */
import type { Resource, ResourceTemplate } from '@proofmark/contract';
import { type ServerIds, useResources, useResourceTemplates } from '../../kit/data/server-lists.ts';
import { Chooser } from './chooser.tsx';
import { ResourceDetail } from './resource-detail.tsx';
import { SplitSection } from './split-section.tsx';

export function ResourcesSection(props: { ids: ServerIds; item: string | undefined }) {
  const { ids, item } = props;
  const resources = useResources(ids);
  const templates = useResourceTemplates(ids);
  const resource = resources.items?.find(({ uri }) => uri === item);
  const template = templates.items?.find(({ uriTemplate }) => uriTemplate === item);
  const shared = { ids, section: 'resources' } as const;
  return (
    <SplitSection
      title="Resources"
      what="resource"
      ids={ids}
      section="resources"
      lists={[resources, templates]}
      item={item}
      detail={
        item !== undefined && (
          <ResourceDetail key={item} uri={item} found={resource ?? template} ids={ids} />
        )
      }
    >
      <Chooser
        {...shared}
        what="resources"
        list={resources}
        choiceOf={({ uri, name, description }: Resource) => ({ id: uri, title: name, description })}
        empty="It lists none. Templates may still lead to some."
      />
      {resources.items !== undefined && (
        <>
          <h3 className="list-head">Templates</h3>
          <Chooser
            {...shared}
            what="resource templates"
            list={templates}
            choiceOf={({ uriTemplate, name, description }: ResourceTemplate) => ({
              id: uriTemplate,
              title: name,
              description,
            })}
            empty="It lists none."
          />
          {item === undefined && <ResourceDetail uri="" found={undefined} ids={ids} />}
        </>
      )}
    </SplitSection>
  );
}
