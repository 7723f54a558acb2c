/** A small subgraph of another team: adds warranties to devices, by serial number, and inspections to sites, by id. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { makeExecutableSchema } from '@graphql-tools/schema';
import { graphql } from 'graphql';

export const warrantySdl = `
  extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@shareable"])
  type Site @key(fields: "id") { id: ID! inspections: [String!]! }
  type Device @key(fields: "serialNumber") { serialNumber: String! warrantyYears: Int! }
  type Query { devicesInRepair: [Device!]! lastInspected: Site! }
`;

const definitions = `
  scalar _Any
  union _Entity = Site | Device
  type Site { id: ID! inspections: [String!]! }
  type Device { serialNumber: String! warrantyYears: Int! }
  type Query {
    devicesInRepair: [Device!]!
    lastInspected: Site!
    _entities(representations: [_Any!]!): [_Entity]!
  }
`;

type Representation = { __typename: string; id?: string; serialNumber?: string };

export interface WarrantySubgraph {
  url: string;
  /** The representations of each `_entities` request. */
  requests: Representation[][];
  stop(): void;
}

/** `repairs`: serial numbers of devices in repair. `inspected`: the id of a site. */
export async function startWarrantySubgraph(
  repairs: readonly string[],
  inspected: string,
): Promise<WarrantySubgraph> {
  const requests: Representation[][] = [];
  const schema = makeExecutableSchema({
    typeDefs: definitions,
    resolvers: {
      _Entity: { __resolveType: ({ __typename }: Representation) => __typename },
      Site: { inspections: ({ id }: Representation) => [`Inspection of ${id}`] },
      Device: { warrantyYears: ({ serialNumber = '' }: Representation) => serialNumber.length },
      Query: {
        devicesInRepair: () => repairs.map((serialNumber) => ({ __typename: 'Device', serialNumber })),
        lastInspected: () => ({ __typename: 'Site', id: inspected }),
        _entities: (_: unknown, { representations }: { representations: Representation[] }) => {
          requests.push(representations);
          return representations;
        },
      },
    },
  });
  const server = createServer(async (request, response) => {
    const { query, variables } = JSON.parse(await text(request)) as {
      query: string;
      variables?: Record<string, unknown>;
    };
    const result = await graphql({ schema, source: query, variableValues: variables ?? {} });
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify(result));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`,
    requests,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}
