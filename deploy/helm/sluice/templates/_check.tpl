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
{{- if and (ne .Values.mode "admin") (le (int (include "sluice.drainTimeout" .)) 0) -}}
{{- fail (printf "`drain.terminationGracePeriodSeconds` (%d) leaves requests no time: `drain.delaySeconds` (%d) and the %s s in which the engine writes its last logs are part of it." (int .Values.drain.terminationGracePeriodSeconds) (int .Values.drain.delaySeconds) (include "sluice.endingSeconds" .)) -}}
{{- end -}}
{{- if regexMatch "(^|-)v1[.]([0-9]|[1-3][0-9])([.-]|$)" .Values.envoy.image.tag -}}
{{- fail (printf "`envoy.image.tag` is %q: the gateway needs Envoy 1.40 or later." .Values.envoy.image.tag) -}}
{{- end -}}
{{- if and (eq .Values.mode "sidecar") (has .Values.sidecar.app.name (list "engine" "envoy" "envoy-config")) -}}
{{- fail (printf "`sidecar.app.name` is %q, which a container of this chart is called." .Values.sidecar.app.name) -}}
{{- end -}}
{{- if and (eq .Values.mode "sidecar") (or .Values.ingress.enabled .Values.httpRoute.enabled) -}}
{{- fail "`ingress` and `httpRoute` have nothing to lead to with `mode: sidecar`: its gateway is on the pod's loopback address." -}}
{{- end -}}
{{- if and .Values.httpRoute.enabled (not .Values.httpRoute.parentRefs) -}}
{{- fail "`httpRoute.parentRefs` is empty: name the Gateway that the route belongs to." -}}
{{- end -}}
{{- $volumes := list "data" "config" "tmp" -}}
{{- range .Values.engine.fileSecrets -}}
{{- $volumes = append $volumes (printf "secret-%s" .) -}}
{{- end -}}
{{- range .Values.extraVolumes -}}
{{- if has .name $volumes -}}
{{- fail (printf "`extraVolumes` has %q, which a volume of this chart is called." .name) -}}
{{- end -}}
{{- $volumes = append $volumes .name -}}
{{- end -}}
{{- range .Values.extraVolumeMounts -}}
{{- if not (has .name $volumes) -}}
{{- fail (printf "`extraVolumeMounts` names the volume %q, which `extraVolumes` does not have." .name) -}}
{{- end -}}
{{- end -}}
{{- range .Values.engine.env -}}
{{- $value := get (dict "MONGODB_URI" "mongodb.uriSecret" "SLUICE_ADMIN_KEY" "adminKeySecret" "SLUICE_ADMIN_URL" "admin.url" "SLUICE_GATEWAY_URL" "gateway.url" "SLUICE_LOG_LEVEL" "engine.logLevel") .name -}}
{{- if $value -}}
{{- fail (printf "%s stands in `engine.env`: set `%s` instead." .name $value) -}}
{{- end -}}
{{- if has .name (list "SLUICE_CONFIG" "SLUICE_DATA_DIR" "SLUICE_ADMIN_PORT" "SLUICE_GATEWAY_PORT" "SLUICE_WITH_ENVOY") -}}
{{- fail (printf "%s stands in `engine.env`: this chart sets it, and its ports, probes and volumes count on that." .name) -}}
{{- end -}}
{{- end -}}
{{- include "sluice.checkConfig" . -}}
{{- end -}}

{{/* Mistakes of `config` that its schema cannot tell: what would keep the pods from starting, or cut requests. */}}
{{- define "sluice.checkConfig" -}}
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
{{- range $name, $provider := (.Values.config).providers -}}
{{- include "sluice.checkVariable" (list $ (printf "providers.%s.api_key_env" $name) $provider.api_key_env) -}}
{{- include "sluice.checkFile" (list $ (printf "providers.%s.api_key_file" $name) $provider.api_key_file) -}}
{{- end -}}
{{- range (concat ((.Values.config).admin_keys | default list) (list (((.Values.config).directory) | default dict))) -}}
{{- include "sluice.checkVariable" (list $ "key_env" .key_env) -}}
{{- include "sluice.checkFile" (list $ "key_file" .key_file) -}}
{{- end -}}
{{- range (.Values.config).projects -}}
{{- range .api_keys -}}
{{- include "sluice.checkVariable" (list $ "key_env" .key_env) -}}
{{- include "sluice.checkFile" (list $ "key_file" .key_file) -}}
{{- end -}}
{{- range $endpoint := .endpoints -}}
{{- range .models -}}
{{- if not (hasKey (($.Values.config).providers | default dict) .provider) -}}
{{- fail (printf "The endpoint %q has a model of the provider %q, which `config.providers` does not have." $endpoint.name .provider) -}}
{{- end -}}
{{- end -}}
{{- $longest := divf (float64 (.total_timeout_ms | default 600000)) 1000.0 -}}
{{- if and (ne $.Values.mode "admin") (lt (float64 (include "sluice.drainTimeout" $)) $longest) -}}
{{- fail (printf "`drain.terminationGracePeriodSeconds` (%d) is too short: a request to the endpoint %q may take %.0f s (its `total_timeout_ms`), beside `drain.delaySeconds` (%d) and the %s s in which the engine writes its last logs." (int $.Values.drain.terminationGracePeriodSeconds) .name $longest (int $.Values.drain.delaySeconds) (include "sluice.endingSeconds" $)) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* A variable that `config` names: of a Secret, or of `engine.env`. */}}
{{- define "sluice.checkVariable" -}}
{{- $root := index . 0 -}}
{{- $name := index . 2 -}}
{{- $names := list "SLUICE_ADMIN_KEY" "MONGODB_URI" -}}
{{- range $root.Values.engine.env -}}
{{- $names = append $names .name -}}
{{- end -}}
{{- if and $name (not $root.Values.engine.envFromSecrets) (not (has $name $names)) -}}
{{- fail (printf "`%s` of `config` names the variable %s, which no container has: name its Secret in `engine.envFromSecrets`, or give it in `engine.env`." (index . 1) $name) -}}
{{- end -}}
{{- end -}}

{{/* A file that `config` names: of a Secret that is mounted. */}}
{{- define "sluice.checkFile" -}}
{{- $root := index . 0 -}}
{{- $path := index . 2 -}}
{{- $mounted := false -}}
{{- range $root.Values.extraVolumeMounts -}}
{{- if or (eq $path .mountPath) (hasPrefix (printf "%s/" (trimSuffix "/" .mountPath)) (default "" $path)) -}}
{{- $mounted = true -}}
{{- end -}}
{{- end -}}
{{- if and $path (not $mounted) -}}
{{- $secret := regexReplaceAll "^/etc/sluice-secrets/([^/]+)/.+$" $path "${1}" -}}
{{- if not (has $secret ($root.Values.engine.fileSecrets | default list)) -}}
{{- fail (printf "`%s` of `config` names the file %s, which no container has: name its Secret in `engine.fileSecrets`; its keys are then files of /etc/sluice-secrets/<secret>/." (index . 1) $path) -}}
{{- end -}}
{{- end -}}
{{- end -}}
