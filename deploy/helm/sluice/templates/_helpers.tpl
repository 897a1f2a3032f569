{{- define "sluice.name" -}}
{{- printf "%s" .Release.Name | trunc 52 | trimSuffix "-" -}}
{{- end -}}

{{/* The Service of the admin port. A release that is called so already keeps its name. */}}
{{- define "sluice.adminName" -}}
{{- $name := include "sluice.name" . -}}
{{- if hasSuffix "-admin" $name }}{{ $name }}{{ else }}{{ printf "%s-admin" $name }}{{ end -}}
{{- end -}}

{{/* What an Ingress or an HTTPRoute leads to: a name and a port. */}}
{{- define "sluice.publishedService" -}}
{{- if eq .Values.mode "admin" -}}
name: {{ include "sluice.adminName" . }}
port: {{ .Values.admin.service.port }}
{{- else -}}
name: {{ include "sluice.name" . }}
port: {{ .Values.service.port }}
{{- end -}}
{{- end -}}

{{- define "sluice.selectorLabels" -}}
app.kubernetes.io/name: sluice
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/component: {{ .Values.mode }}
{{- end -}}

{{- define "sluice.labels" -}}
{{ include "sluice.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- define "sluice.serviceAccountName" -}}
{{- if .Values.serviceAccount.create -}}
{{- default (include "sluice.name" .) .Values.serviceAccount.name -}}
{{- else -}}
{{- default "default" .Values.serviceAccount.name -}}
{{- end -}}
{{- end -}}

{{- define "sluice.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}

{{- define "sluice.configMapName" -}}
{{- default (printf "%s-config" (include "sluice.name" .)) .Values.existingConfigMap -}}
{{- end -}}

{{/* The role of the engine's process. */}}
{{- define "sluice.role" -}}
{{- if eq .Values.mode "admin" }}admin{{ else }}{{ .Values.engine.role }}{{ end -}}
{{- end -}}

{{- define "sluice.podSecurityContext" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
fsGroupChangePolicy: OnRootMismatch
seccompProfile: { type: RuntimeDefault }
{{- end -}}

{{- define "sluice.containerSecurityContext" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
capabilities: { drop: [ALL] }
seccompProfile: { type: RuntimeDefault }
{{- end -}}

{{- define "sluice.env" -}}
- name: SLUICE_CONFIG
  value: /etc/sluice/sluice.yaml
- name: SLUICE_DATA_DIR
  value: /var/lib/sluice
- name: SLUICE_HOST
  value: {{ ternary "127.0.0.1" "0.0.0.0" (eq .Values.mode "sidecar") | quote }}
# Probes and Prometheus come from outside of the pod.
- name: SLUICE_ADMIN_HOST
  value: "0.0.0.0"
- name: SLUICE_LOG_LEVEL
  value: {{ .Values.engine.logLevel }}
{{- if ne .Values.mode "admin" }}
- name: SLUICE_WITH_ENVOY
  value: "1"
{{- end }}
{{- with .Values.admin.url }}
- name: SLUICE_ADMIN_URL
  value: {{ . | quote }}
{{- end }}
{{- with .Values.gateway.url }}
- name: SLUICE_GATEWAY_URL
  value: {{ . | quote }}
{{- end }}
{{- with .Values.mongodb.uriSecret.name }}
- name: MONGODB_URI
  valueFrom:
    secretKeyRef:
      name: {{ . }}
      key: {{ $.Values.mongodb.uriSecret.key }}
{{- end }}
{{- with .Values.adminKeySecret.name }}
- name: SLUICE_ADMIN_KEY
  valueFrom:
    secretKeyRef:
      name: {{ . }}
      key: {{ $.Values.adminKeySecret.key }}
{{- end }}
{{- with .Values.engine.env }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "sluice.envFrom" -}}
{{- range .Values.engine.envFromSecrets }}
- secretRef:
    name: {{ . }}
{{- end }}
{{- end -}}

{{- define "sluice.volumeMounts" -}}
- { name: data, mountPath: /var/lib/sluice }
- { name: config, mountPath: /etc/sluice, readOnly: true }
- { name: tmp, mountPath: /tmp }
{{- range .Values.engine.fileSecrets }}
- { name: {{ printf "secret-%s" . }}, mountPath: {{ printf "/etc/sluice-secrets/%s" . }}, readOnly: true }
{{- end }}
{{- with .Values.extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* Writes Envoy's bootstrap and its clusters. To be an init container ahead of `sluice.sidecar.containers`. */}}
{{- define "sluice.sidecar.initContainers" -}}
- name: envoy-config
  image: {{ include "sluice.image" . }}
  imagePullPolicy: {{ .Values.image.pullPolicy }}
  command: [node, /app/dist/main.js, envoy-config, --output, /var/lib/sluice/envoy.yaml]
  env:
    {{- include "sluice.env" . | nindent 4 }}
  {{- with include "sluice.envFrom" . }}
  envFrom:
    {{- . | nindent 4 }}
  {{- end }}
  resources:
    requests: { cpu: 100m, memory: 128Mi }
    limits: { memory: 256Mi }
  securityContext:
    {{- include "sluice.containerSecurityContext" . | nindent 4 }}
  volumeMounts:
    {{- include "sluice.volumeMounts" . | nindent 4 }}
{{- end -}}

{{- define "sluice.engineContainer" -}}
- name: engine
  image: {{ include "sluice.image" . }}
  imagePullPolicy: {{ .Values.image.pullPolicy }}
  args: [serve, --role, {{ include "sluice.role" . }}]
  env:
    {{- include "sluice.env" . | nindent 4 }}
  {{- with include "sluice.envFrom" . }}
  envFrom:
    {{- . | nindent 4 }}
  {{- end }}
  ports:
    - { name: admin, containerPort: 8081 }
  startupProbe:
    httpGet: { path: /healthz/live, port: admin }
    periodSeconds: 1
    failureThreshold: 60
  livenessProbe:
    httpGet: { path: /healthz/live, port: admin }
    periodSeconds: 10
    timeoutSeconds: 5
    failureThreshold: 6
  readinessProbe:
    httpGet: { path: /healthz/ready, port: admin }
    periodSeconds: 2
    timeoutSeconds: 2
  {{- if ne .Values.mode "admin" }}
  lifecycle:
    preStop:
      # Lets Envoy finish what is under way; its container waits for that. At the timeout the rest is cut off, so that
      # the engine has the end of the grace period for its last logs.
      exec: { command: [node, /app/dist/main.js, drain, --delay, {{ .Values.drain.delaySeconds | quote }}, --timeout, {{ include "sluice.drainTimeout" . | quote }}] }
  {{- end }}
  resources:
    {{- toYaml .Values.engine.resources | nindent 4 }}
  securityContext:
    {{- include "sluice.containerSecurityContext" . | nindent 4 }}
  volumeMounts:
    {{- include "sluice.volumeMounts" . | nindent 4 }}
{{- end -}}

{{/* Envoy and the engine. For charts of apps: include this one, `sluice.sidecar.initContainers` and `sluice.sidecar.volumes`. */}}
{{- define "sluice.sidecar.containers" -}}
{{ include "sluice.engineContainer" . }}
- name: envoy
  image: "{{ .Values.envoy.image.repository }}:{{ .Values.envoy.image.tag }}"
  imagePullPolicy: {{ .Values.envoy.image.pullPolicy }}
  command: [envoy, -c, /var/lib/sluice/envoy.yaml, --disable-hot-restart, --log-level, warning]
  ports:
    - { name: gateway, containerPort: 8080 }
  # Envoy answers HTTP/1.0 by itself, on one of its worker threads, so the engine has no part in these. They run in the
  # pod, since the gateway of a sidecar listens on loopback alone.
  startupProbe:
    exec: { command: [bash, -c, {{ include "sluice.envoyAnswers" . | quote }}] }
    periodSeconds: 1
    failureThreshold: 60
  readinessProbe:
    exec: { command: [bash, -c, {{ include "sluice.envoyAnswers" . | quote }}] }
    periodSeconds: 5
    timeoutSeconds: 5
  livenessProbe:
    # An Envoy that is at its bound of connections closes new ones at once. Only one that says nothing is dead.
    exec: { command: [bash, -c, {{ include "sluice.envoyIsThere" . | quote }}] }
    periodSeconds: 10
    timeoutSeconds: 5
    failureThreshold: 6
  lifecycle:
    preStop:
      # SIGTERM would cut what is in flight.
      exec: { command: [sh, -c, "until [ -e /var/lib/sluice/drained ]; do sleep 0.2; done"] }
  resources:
    {{- toYaml .Values.envoy.resources | nindent 4 }}
  securityContext:
    {{- include "sluice.containerSecurityContext" . | nindent 4 }}
  volumeMounts:
    - { name: data, mountPath: /var/lib/sluice }
{{- end -}}

{{/* How many seconds requests may take to finish. */}}
{{- define "sluice.drainTimeout" -}}
{{- sub (sub .Values.drain.terminationGracePeriodSeconds .Values.drain.delaySeconds) (include "sluice.endingSeconds" .) -}}
{{- end -}}

{{/* The seconds of the grace period in which the engine writes and ships its last logs. */}}
{{- define "sluice.endingSeconds" -}}30{{- end -}}

{{- define "sluice.envoyAnswers" -}}
exec 3<>/dev/tcp/127.0.0.1/8080 || exit 1; printf 'GET / HTTP/1.0\r\n\r\n' >&3; read -r -t 4 line <&3; [[ $line == HTTP/* ]]
{{- end -}}

{{- define "sluice.envoyIsThere" -}}
exec 3<>/dev/tcp/127.0.0.1/8080 || exit 1; printf 'GET / HTTP/1.0\r\n\r\n' >&3; read -r -t 4 line <&3; [ $? -le 128 ]
{{- end -}}

{{- define "sluice.sidecar.volumes" -}}
{{- if not .Values.spool.persistent }}
- name: data
  emptyDir: { sizeLimit: {{ .Values.spool.size }} }
{{- end }}
- name: config
  configMap: { name: {{ include "sluice.configMapName" . }} }
- name: tmp
  emptyDir: { sizeLimit: 64Mi }
{{- range .Values.engine.fileSecrets }}
- name: {{ printf "secret-%s" . }}
  secret: { secretName: {{ . }}, defaultMode: 288 }
{{- end }}
{{- with .Values.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "sluice.podScheduling" -}}
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.topologySpreadConstraints }}
topologySpreadConstraints:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- end -}}
