// Reads EnvoyFilters from a file, as YAML, and prints what Istio's pilot sends to the sidecar of a pod in the
// namespace default with the label app.kubernetes.io/name: edge: {"listeners": […], "clusters": […]}.
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	meshconfig "istio.io/api/mesh/v1alpha1"
	"istio.io/istio/pilot/pkg/model"
	"istio.io/istio/pilot/pkg/networking/core"
	"istio.io/istio/pkg/config/mesh"
	"istio.io/istio/pkg/log"
)

// failer ends the program where a test helper of Istio reports a failure.
type failer struct{}

func (f *failer) Fail()                             { f.FailNow() }
func (f *failer) FailNow()                          { os.Exit(1) }
func (f *failer) Fatal(args ...any)                 { fmt.Fprintln(os.Stderr, args...); f.FailNow() }
func (f *failer) Fatalf(format string, args ...any) { f.Fatal(fmt.Sprintf(format, args...)) }
func (f *failer) Log(args ...any)                   {}
func (f *failer) Logf(format string, args ...any)   {}
func (f *failer) TempDir() string                   { return os.TempDir() }
func (f *failer) Helper()                           {}
func (f *failer) Cleanup(func())                    {}
func (f *failer) Skip(args ...any)                  {}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func asJson[Message proto.Message](messages []Message) []json.RawMessage {
	all := make([]json.RawMessage, 0, len(messages))
	for _, message := range messages {
		text, err := protojson.Marshal(message)
		check(err)
		all = append(all, text)
	}
	return all
}

func main() {
	// By default the log would go to standard output, between the results.
	options := log.DefaultOptions()
	options.OutputPaths = []string{"stderr"}
	check(log.Configure(options))
	filters, err := os.ReadFile(os.Args[1])
	check(err)
	settings := mesh.DefaultMeshConfig()
	settings.OutboundTrafficPolicy = &meshconfig.MeshConfig_OutboundTrafficPolicy{
		Mode: meshconfig.MeshConfig_OutboundTrafficPolicy_ALLOW_ANY,
	}
	generator := core.NewConfigGenTest(&failer{}, core.TestOptions{ConfigString: string(filters), MeshConfig: settings})
	labels := map[string]string{"app.kubernetes.io/name": "edge"}
	proxy := generator.SetupProxy(&model.Proxy{
		ConfigNamespace: "default",
		Labels:          labels,
		Metadata:        &model.NodeMetadata{Namespace: "default", Labels: labels},
	})
	check(json.NewEncoder(os.Stdout).Encode(map[string]any{
		"listeners": asJson(generator.Listeners(proxy)),
		"clusters":  asJson(generator.Clusters(proxy)),
	}))
}
