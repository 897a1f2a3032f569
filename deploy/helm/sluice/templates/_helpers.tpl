{{- define "sluice.name" -}}
{{- printf "%s" .Release.Name | trunc 52 | trimSuffix "-" -}}
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

{{/* Mistakes that a schema cannot tell. */}}
{{- define "sluice.check" -}}
{{- if and (not .Values.config) (not .Values.existingConfigMap) -}}
{{- fail "There is no configuration: set `config` (sluice.yaml as values), or `existingConfigMap`." -}}
{{- end -}}
{{- if and .Values.config .Values.existingConfigMap -}}
{{- fail "`config` and `existingConfigMap` are both set; only one of them can be served." -}}
{{- end -}}
{{- if .Values.mongodb.throughAdmin -}}
{{- if ne (include "sluice.role" .) "engine" -}}
{{- fail "`mongodb.throughAdmin` is for `engine.role: engine`: who has an admin API needs MongoDB itself." -}}
{{- end -}}
{{- if .Values.mongodb.uriSecret.name -}}
{{- fail "`mongodb.throughAdmin` and `mongodb.uriSecret.name` are both set; with the first there is no way to MongoDB." -}}
{{- end -}}
{{- if and .Values.config (not (and ((.Values.config).directory).from ((.Values.config).logs).to)) -}}
{{- fail "`mongodb.throughAdmin` needs `directory.from` and `logs.to` in `config`: where the admin service is." -}}
{{- end -}}
{{- else if not .Values.mongodb.uriSecret.name -}}
{{- fail "`mongodb.uriSecret.name` is not set: the Secret that holds MongoDB's connection string." -}}
{{- end -}}
{{- if and (ne (include "sluice.role" .) "engine") (not .Values.adminKeySecret.name) -}}
{{- fail "`adminKeySecret.name` is not set: the Secret that holds the administrators' key." -}}
{{- end -}}
{{- if and (eq (include "sluice.role" .) "engine") (not .Values.admin.url) -}}
{{- fail "`engine.role: engine` needs `admin.url`: where feedback and patches of logs go." -}}
{{- end -}}
{{- if and (eq .Values.mode "sidecar") (not .Values.sidecar.app.image) -}}
{{- fail "`mode: sidecar` needs `sidecar.app.image`: the app that Envoy and the engine stand beside." -}}
{{- end -}}
{{- if and .Values.spool.persistent .Values.autoscaling.enabled -}}
{{- fail "`spool.persistent` and `autoscaling.enabled` exclude each other: a volume of a pod that was scaled away keeps its logs." -}}
{{- end -}}
{{- if and .Values.spool.persistent (ne .Values.mode "gateway") -}}
{{- fail (printf "`spool.persistent` is for `mode: gateway`, not for `mode: %s`." .Values.mode) -}}
{{- end -}}
{{- if and .Values.autoscaling.enabled (gt (int .Values.autoscaling.minReplicas) (int .Values.autoscaling.maxReplicas)) -}}
{{- fail "`autoscaling.minReplicas` is over `autoscaling.maxReplicas`." -}}
{{- end -}}
{{- if le (int .Values.drain.terminationGracePeriodSeconds) (int .Values.drain.delaySeconds) -}}
{{- fail "`drain.terminationGracePeriodSeconds` leaves no time after `drain.delaySeconds`: requests would be cut." -}}
{{- end -}}
{{- if eq (toString ((.Values.config).engine).workers) "auto" -}}
{{- fail "`engine.workers: auto` in `config` counts processors, of the node where no limit of CPU is set, and each container for itself: write the number." -}}
{{- end -}}
{{- if .Values.config -}}
{{- $units := dict "" 1 "m" 0.001 "k" 1e3 "M" 1e6 "G" 1e9 "T" 1e12 "Ki" 1024 "Mi" 1048576 "Gi" 1073741824 "Ti" 1099511627776 -}}
{{- $number := regexFind "^[0-9.]+" .Values.spool.size -}}
{{- $room := mulf (float64 $number) (get $units (trimPrefix $number .Values.spool.size)) -}}
{{- $most := (((.Values.config).spool).max_bytes) | default 1073741824 -}}
{{- if lt (float64 $room) (mulf 1.1 (float64 $most)) -}}
{{- fail (printf "`spool.size` (%s) is too small for `spool.max_bytes` of `config` (%.0f) and a tenth more: the pod would be evicted, or its disk full, before the spool is." .Values.spool.size (float64 $most)) -}}
{{- end -}}
{{- end -}}
{{- range (.Values.config).projects -}}
{{- range .api_keys -}}
{{- if hasKey . "key" -}}
{{- fail (printf "The key %q stands in `config`, and so in a ConfigMap: put it into a Secret, and name its variable with `key_env`, or its file with `key_file`." .name) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if ((.Values.config).directory).key -}}
{{- fail "The key of engines stands in `config`, and so in a ConfigMap: put it into a Secret, and name its variable with `directory.key_env`, or its file with `directory.key_file`." -}}
{{- end -}}
{{- range (.Values.config).admin_keys -}}
{{- if hasKey . "key" -}}
{{- fail (printf "The key %q stands in `config`, and so in a ConfigMap: put it into a Secret, and name its variable with `key_env`, or its file with `key_file`." .name) -}}
{{- end -}}
{{- end -}}
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
      # Lets Envoy finish what is under way; its container waits for that.
      exec: { command: [node, /app/dist/main.js, drain, --delay, {{ .Values.drain.delaySeconds | quote }}] }
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
