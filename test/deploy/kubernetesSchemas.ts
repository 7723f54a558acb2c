/**
 * JSON schemas of the Kubernetes kinds in `deploy/kubernetes`, restricted to the fields in use: a misspelled or misplaced
 * field is an error. Taken from the Kubernetes API reference, version 1.30.
 */

type Schema = Readonly<Record<string, unknown>>;

const text: Schema = { type: 'string', minLength: 1 };
const name: Schema = { type: 'string', pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$', maxLength: 63 };
const flag: Schema = { type: 'boolean' };
const count: Schema = { type: 'integer', minimum: 0 };
const port: Schema = { type: 'integer', minimum: 1, maximum: 65_535 };
const quantity: Schema = { type: 'string', pattern: '^\\d+(m|Ki|Mi|Gi)?$' };
const texts: Schema = { type: 'object', additionalProperties: { type: 'string' } };

const list = (items: Schema): Schema => ({ type: 'array', items, minItems: 1 });
const oneOf = (...values: readonly string[]): Schema => ({ enum: values });

/** Fields whose name ends with `!` are required. */
function object(fields: Readonly<Record<string, Schema>>): Schema {
  const properties = Object.fromEntries(
    Object.entries(fields).map(([field, schema]) => [field.replace('!', ''), schema]),
  );
  const required = Object.keys(fields).filter((field) => field.endsWith('!'));
  return {
    type: 'object',
    properties,
    required: required.map((field) => field.replace('!', '')),
    additionalProperties: false,
  };
}

const metadata = object({ 'name!': name, namespace: name, labels: texts, annotations: texts });
const selector = object({ 'matchLabels!': texts });

const kind = (apiVersion: string, kindName: string, fields: Readonly<Record<string, Schema>>): Schema =>
  object({
    'apiVersion!': oneOf(apiVersion),
    'kind!': oneOf(kindName),
    'metadata!': metadata,
    ...fields,
  });

const seconds = { periodSeconds: count, timeoutSeconds: count, failureThreshold: count };
const probe: Schema = {
  anyOf: [
    object({ 'httpGet!': object({ 'path!': { type: 'string', pattern: '^/' }, 'port!': name }), ...seconds }),
    object({ 'tcpSocket!': object({ 'port!': name }), ...seconds }),
  ],
};

const container = object({
  'name!': name,
  'image!': text,
  command: list(text),
  args: list({ type: 'string' }),
  ports: list(object({ 'name!': name, 'containerPort!': port })),
  envFrom: list(object({ 'configMapRef!': object({ 'name!': name }) })),
  lifecycle: object({ 'preStop!': object({ 'exec!': object({ 'command!': list(text) }) }) }),
  startupProbe: probe,
  'livenessProbe!': probe,
  'readinessProbe!': probe,
  'resources!': object({
    'requests!': object({ 'cpu!': quantity, 'memory!': quantity }),
    'limits!': object({ cpu: quantity, 'memory!': quantity }),
  }),
  'securityContext!': object({
    'allowPrivilegeEscalation!': { const: false },
    'readOnlyRootFilesystem!': { const: true },
    'capabilities!': object({ 'drop!': { const: ['ALL'] } }),
  }),
  volumeMounts: list(object({ 'name!': name, 'mountPath!': text, readOnly: flag })),
});

const pod = object({
  serviceAccountName: name,
  'automountServiceAccountToken!': { const: false },
  enableServiceLinks: flag,
  terminationGracePeriodSeconds: count,
  'securityContext!': object({
    'runAsNonRoot!': { const: true },
    'runAsUser!': { type: 'integer', minimum: 1 },
    runAsGroup: { type: 'integer', minimum: 1 },
    fsGroup: { type: 'integer', minimum: 1 },
    'seccompProfile!': object({ 'type!': oneOf('RuntimeDefault') }),
  }),
  topologySpreadConstraints: list(
    object({
      'maxSkew!': count,
      'topologyKey!': text,
      'whenUnsatisfiable!': oneOf('ScheduleAnyway', 'DoNotSchedule'),
      'labelSelector!': selector,
    }),
  ),
  'containers!': list(container),
  volumes: list({
    anyOf: [
      object({ 'name!': name, 'secret!': object({ 'secretName!': name, defaultMode: count }) }),
      object({ 'name!': name, 'emptyDir!': object({ sizeLimit: quantity }) }),
    ],
  }),
});

/** The schema of each kind, by name. */
export const kubernetesSchemas: Readonly<Record<string, Schema>> = {
  ServiceAccount: kind('v1', 'ServiceAccount', { automountServiceAccountToken: flag }),
  ConfigMap: kind('v1', 'ConfigMap', { 'data!': texts }),
  Service: kind('v1', 'Service', {
    'spec!': object({
      'selector!': texts,
      'ports!': list(object({ 'name!': name, 'port!': port, 'targetPort!': name })),
    }),
  }),
  Deployment: kind('apps/v1', 'Deployment', {
    'spec!': object({
      replicas: count,
      'selector!': selector,
      strategy: object({
        'type!': oneOf('RollingUpdate', 'Recreate'),
        rollingUpdate: object({ maxUnavailable: count, maxSurge: count }),
      }),
      'template!': object({ 'metadata!': object({ 'labels!': texts }), 'spec!': pod }),
    }),
  }),
  PodDisruptionBudget: kind('policy/v1', 'PodDisruptionBudget', {
    'spec!': object({ 'maxUnavailable!': count, 'selector!': selector }),
  }),
  HorizontalPodAutoscaler: kind('autoscaling/v2', 'HorizontalPodAutoscaler', {
    'spec!': object({
      'scaleTargetRef!': object({ 'apiVersion!': text, 'kind!': text, 'name!': name }),
      'minReplicas!': count,
      'maxReplicas!': count,
      'metrics!': list(
        object({
          'type!': oneOf('Resource'),
          'resource!': object({
            'name!': oneOf('cpu', 'memory'),
            'target!': object({ 'type!': oneOf('AverageValue'), 'averageValue!': quantity }),
          }),
        }),
      ),
      behavior: object({ scaleDown: object({ stabilizationWindowSeconds: count }) }),
    }),
  }),
  NetworkPolicy: kind('networking.k8s.io/v1', 'NetworkPolicy', {
    'spec!': object({
      'podSelector!': selector,
      'policyTypes!': list(oneOf('Ingress', 'Egress')),
      'ingress!': list(
        object({
          'from!': list(object({ 'podSelector!': selector })),
          'ports!': list(object({ 'port!': port })),
        }),
      ),
    }),
  }),
  Ingress: kind('networking.k8s.io/v1', 'Ingress', {
    'spec!': object({
      ingressClassName: name,
      tls: list(object({ 'hosts!': list(text), 'secretName!': name })),
      'rules!': list(
        object({
          'host!': text,
          'http!': object({
            'paths!': list(
              object({
                'path!': text,
                'pathType!': oneOf('Prefix', 'Exact'),
                'backend!': object({
                  'service!': object({ 'name!': name, 'port!': object({ 'name!': name }) }),
                }),
              }),
            ),
          }),
        }),
      ),
    }),
  }),
};
